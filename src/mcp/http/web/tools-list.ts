import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { Generation } from '../../../projection/generation.js';
import type { Service } from '../../../service.js';
import { reportServed } from '../../generation-report.js';
import { matchesTag } from './entity-tag.js';
import { generationHeaders } from './generation-headers.js';
import { refuseMethod } from './refusal.js';

interface Written {
  readonly text: string;
  readonly tag: string;
}

/** A generation never changes. */
const written = new WeakMap<Generation, Written>();

/** `/tools.json`: what `toolgraph tools --json` prints of the current generation. Waits for the first one. */
export function toolsListRoute(service: Pick<Service, 'current' | 'ready'>): Hono {
  const app = new Hono();
  app.get('/tools.json', async (c) => {
    const generation = service.current ?? (await service.ready);
    const { text, tag } = writtenOf(generation);
    const headers = { ...generationHeaders(generation), ETag: tag, 'Cache-Control': 'private, no-cache' };
    if (matchesTag(c.req.header('If-None-Match'), tag)) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, 'Content-Type': 'application/json' });
  });
  app.all('/tools.json', (c) => refuseMethod(c, ['GET', 'HEAD']));
  return app;
}

/** The tag is of the bytes: lines of problems, which are in it, are no part of the generation's digest. */
function writtenOf(generation: Generation): Written {
  const known = written.get(generation);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(reportServed(generation))}\n`;
  const made = { text, tag: `"${createHash('sha256').update(text).digest('hex')}"` };
  written.set(generation, made);
  return made;
}
