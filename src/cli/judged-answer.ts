import type { Answer, SafetyLabel } from '../debate/index.ts';

/** What the commands need of an answer, whatever its job: a verdict of safe, unsafe or undecided. */
export type JudgedAnswer = Pick<
  Answer<unknown, SafetyLabel>,
  'id' | 'verdict' | 'transcript' | 'retrieval' | 'usage' | 'provenance'
>;

export const labels: readonly SafetyLabel[] = ['safe', 'unsafe', 'undecided'];
