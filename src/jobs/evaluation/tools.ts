import type { Observation } from '../../debate/index.ts';
import type { Source } from '../../evidence/index.ts';

/** What reads an exchange beside the seats; handed in at the edge. */
export interface EvaluationTools {
  deobfuscate(source: Source): Observation[];
  findInjections(source: Source): Observation[];
}
