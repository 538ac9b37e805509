import type { Tool } from '../../schemas/tool.js';
import type { ArmKind } from './arm.js';
import type { InProcessBinding } from './generation.js';
import { toolName } from './name.js';
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
      names: [tool.id, ...new Set([toolName(tool.id), name].filter((other) => other !== tool.id))],
      ...(outputs === undefined ? {} : { outputs }),
    };
    return {
      on({ modules, failedModules }) {
        const { module } = binding;
        if (modules.get(module) !== true) {
          return { code: 'module-not-found', reason: `its module ${module} is not a file of the instance` };
        }
        const failure = failedModules?.get(moduleKey(binding));
        return failure === undefined ? binding : { code: 'module-failed', reason: `its module ${module} ${failure}` };
      },
    };
  },
  ask({ invoke }, { modules }) {
    if (invoke.inProcess !== undefined) modules.add(invoke.inProcess.module);
  },
};

/** `moduleKey` of a Tool; undefined without an inProcess arm. */
export function moduleKeyOf({ id, invoke: { inProcess } }: Tool): string | undefined {
  return inProcess && moduleKey({ module: inProcess.module, exports: exportNames(id, inProcess) });
}

/** What tells two functions of modules apart, as far as loading them goes. */
export function moduleKey({ module, exports }: Pick<InProcessBinding, 'module' | 'exports'>): string {
  return JSON.stringify([module, ...exports]);
}

/** `register` alone where the node names it; else `default` and the camelCase of the id (P10). */
function exportNames(id: string, { register }: NonNullable<Tool['invoke']['inProcess']>): InProcessBinding['exports'] {
  if (register !== undefined) return [register];
  return ['default', id.replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase())];
}
