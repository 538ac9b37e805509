import { authoringMutants } from './mutants/authoring.js';
import { buildingMutants } from './mutants/building.js';
import { callDataMutants } from './mutants/call-data.js';
import { checkingMutants } from './mutants/checking.js';
import { containerMutants } from './mutants/containers.js';
import { contractMutants } from './mutants/contract.js';
import { documentMutants } from './mutants/documents.js';
import { exportingMutants } from './mutants/exporting.js';
import { faultMutants } from './mutants/faults.js';
import { guardingMutants } from './mutants/guarding.js';
import { historyMutants } from './mutants/history.js';
import { httpMutants } from './mutants/http.js';
import { instanceMutants } from './mutants/instances.js';
import { invocationMutants } from './mutants/invocation.js';
import { measuringMutants } from './mutants/measuring.js';
import { moduleMutants } from './mutants/modules.js';
import { projectionMutants } from './mutants/projection.js';
import { servingMutants } from './mutants/serving.js';
import { shapeMutants } from './mutants/shapes.js';
import { storingMutants } from './mutants/storing.js';
import { viewMutants } from './mutants/views.js';
import { watchingMutants } from './mutants/watching.js';
import { webMutants } from './mutants/web.js';

/** One change of the source that must make a test fail. */
export interface Mutant {
  /**
   * The row of cases.md that the test guards, such as W1 or X5, or else the section of tool-node.md or the decision of DESIGN.md;
   * `.2` and so on for a second one.
   */
  readonly id: string;
  readonly file: string;
  /** Part of one line, exactly; it occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Path of the test file. */
  readonly test: string;
  /** As for `vitest -t`: which tests of the file. */
  readonly name: string;
}

export const mutants: readonly Mutant[] = [
  ...viewMutants,
  ...httpMutants,
  ...watchingMutants,
  ...checkingMutants,
  ...documentMutants,
  ...storingMutants,
  ...historyMutants,
  ...projectionMutants,
  ...servingMutants,
  ...invocationMutants,
  ...callDataMutants,
  ...moduleMutants,
  ...instanceMutants,
  ...exportingMutants,
  ...buildingMutants,
  ...contractMutants,
  ...containerMutants,
  ...authoringMutants,
  ...faultMutants,
  ...shapeMutants,
  ...guardingMutants,
  ...measuringMutants,
  ...webMutants,
];
