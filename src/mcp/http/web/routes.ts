import { type Context, Hono } from 'hono';
import type { Service } from '../../../service.js';
import { graphRoute } from './graph.js';
import { healthRoute } from './health.js';
import { metricsRoute } from './metrics.js';
import { refuse, refuseMethod } from './refusal.js';
import type { ConnectionCounts } from './service-gauges.js';
import { ServiceMetrics } from './service-metrics.js';
import { sparqlRoute } from './sparql.js';
import { toolsListRoute } from './tools-list.js';

export interface Web {
  /** To be mounted at `/`. */
  readonly routes: Hono;
  close(): void;
}

/** What is at each path. */
const paths: readonly (readonly [path: string, what: string])[] = [
  ['/mcp', 'MCP, streamable HTTP'],
  ['/sparql', 'SPARQL 1.1 Protocol, queries only'],
  ['/graph', 'the graph as JSON-LD, Turtle, TriG or N-Quads'],
  ['/tools.json', 'tools, omissions and problems'],
  ['/healthz', 'health; /healthz/live and /healthz/ready for probes'],
  ['/metrics', 'Prometheus'],
];

/** The web beside MCP (docs/web.md). */
export function createWeb(service: Service, connections: ConnectionCounts): Web {
  const metrics = new ServiceMetrics(service, connections);
  const routes = new Hono();
  routes.use(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
  });
  routes.get('/', (c) => c.text(`${paths.map(([path, what]) => `${path.padEnd(12)} ${what}`).join('\n')}\n`));
  routes.all('/', (c) => refuseMethod(c, ['GET', 'HEAD']));
  routes.route('/', sparqlRoute(service));
  routes.route('/', graphRoute(service));
  routes.route('/', toolsListRoute(service));
  routes.route('/', healthRoute(service));
  routes.route('/', metricsRoute(metrics));
  return { routes, close: () => metrics.close() };
}

/** The answer at a path where nothing is. */
export function refusePath(c: Context): Response {
  const known = paths.map(([path]) => path);
  const message = `nothing is here; there is ${known.join(', ')}`;
  return refuse(c, { status: 404, code: 'not_found', message, details: { paths: known } });
}
