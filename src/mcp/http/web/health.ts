import { type Context, Hono } from 'hono';
import type { Generation } from '../../../projection/generation.js';
import type { Service, ServiceStatus } from '../../../service.js';
import { countByCode } from './count-by-code.js';
import { refuseMethod } from './refusal.js';

/** Why it is not all well: a code and a line of words. */
export interface HealthReason {
  readonly code: string;
  readonly message: string;
}

/** What `/healthz` tells. `starting`: there is no generation to serve yet. `degraded`: it serves, and not all that it should. */
export interface Health extends Omit<ServiceStatus, 'state'> {
  readonly status: ServiceStatus['state'];
  readonly reasons: readonly HealthReason[];
}

/** Tools that a reason names. */
const mostNamed = 10;

const paths = ['/healthz', '/healthz/live', '/healthz/ready'];

/**
 * `/healthz` and `/healthz/ready` for who sends requests here: 503 while there is nothing to serve, and 200 with the reasons while something is
 * amiss, for then all else is still served. `/healthz/live` for who would start the process again: it answers, which is all that this can mend.
 */
export function healthRoute(service: Pick<Service, 'current' | 'status' | 'degradations'>): Hono {
  const app = new Hono();
  app.get('/healthz/live', (c) => live(c));
  for (const path of ['/healthz', '/healthz/ready']) {
    app.get(path, (c) => {
      const health = healthOf(service);
      return c.json(health, health.status === 'starting' ? 503 : 200, uncached);
    });
  }
  for (const path of paths) app.all(path, (c) => refuseMethod(c, ['GET', 'HEAD']));
  return app;
}

/**
 * What a request for health without a token is told where one is needed: that the process lives, for the probe of a container, say. Undefined for
 * every other request.
 */
export function openHealth(c: Context): Response | undefined {
  return ['GET', 'HEAD'].includes(c.req.method) && paths.includes(c.req.path) ? live(c) : undefined;
}

/** Pure, of what the service says now. */
export function healthOf(service: Pick<Service, 'current' | 'status' | 'degradations'>): Health {
  const { state: _, ...status } = service.status();
  const { current } = service;
  if (current === undefined) {
    return { status: 'starting', ...status, reasons: [{ code: 'starting', message: 'the instance is being read' }] };
  }
  const reasons = [...service.degradations, ...problemReason(current), ...moduleReason(current)];
  return { status: reasons.length > 0 ? 'degraded' : 'ready', ...status, reasons };
}

function problemReason({ problems }: Generation): HealthReason[] {
  if (problems.length === 0) return [];
  const codes = Array.from(countByCode(problems), ([code, count]) => `${code} ${count}`).join(', ');
  const message = `${problems.length} of what the folders hold could not be determined (${codes}); /tools.json lists the problems`;
  return [{ code: 'problems', message }];
}

function moduleReason({ omissions }: Generation): HealthReason[] {
  const ids = omissions.flatMap(({ code, id }) => (code === 'module-failed' ? [id] : []));
  if (ids.length === 0) return [];
  const named = ids.slice(0, mostNamed).join(', ');
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  const message = `the module of ${named}${more} does not load, so that is not served; /tools.json says why`;
  return [{ code: 'module-failed', message }];
}

const uncached = { 'Cache-Control': 'no-store' };

function live(c: Context): Response {
  return c.json({ status: 'live' }, 200, uncached);
}
