import type { Tool } from '../../schemas/tool.js';
import type { ArmKind } from './arm.js';
import type { InProcessBinding } from './generation.js';
import { resultOutputs } from './output-schema.js';

/** A function of a module of the instance (P10): its inputs need no arg, so no type can be unsafe and none is unreachable. */
export const inProcessArm: ArmKind = {
  reaches: () => true,
  bind({ tool, name }) {
    const { inProcess } = tool.invoke;
    if (inProcess === undefined) throw new Error(`${tool.id} has no arm inProcess`);
    const outputs = resultOutputs(tool.io.outputs);
    const binding: InProcessBinding = {
      arm: 'inProcess',
      module: inProcess.module,
      exports: exportNames(tool.id, inProcess),
      names: name === tool.id ? [name] : [tool.id, name],
      ...(outputs === undefined ? {} : { outputs }),
    };
    return {
      binding,
      unavailable: () => ({
        code: 'arm-unsupported',
        reason: 'this version cannot run its arm inProcess; add a shell arm',
      }),
    };
  },
  ask() {},
};

/** `register` alone where the node names it; else `default` and the camelCase of the id (P10). */
function exportNames(id: string, { register }: NonNullable<Tool['invoke']['inProcess']>): InProcessBinding['exports'] {
  if (register !== undefined) return [register];
  return ['default', id.replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase())];
}
