import { Hono } from 'hono';
import { refuseMethod } from './refusal.js';
import type { ServiceMetrics } from './service-metrics.js';

/** `/metrics`, for Prometheus. */
export function metricsRoute(metrics: ServiceMetrics): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) =>
    c.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }),
  );
  app.all('/metrics', (c) => refuseMethod(c, ['GET', 'HEAD']));
  return app;
}
