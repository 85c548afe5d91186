import { rules as evaluationRules } from '../../../src/jobs/evaluation/report/rules.ts';
import * as evaluation from '../../../src/jobs/evaluation/report/words.ts';
import { rules as moderationRules } from '../../../src/jobs/moderation/report/rules.ts';
import * as moderation from '../../../src/jobs/moderation/report/words.ts';
import { wordsOf } from '../../../src/view/words.ts';
import type { Job } from '../api/types.ts';
import type { TrialVerdict } from './trial-view.ts';

/* The words of the reports, by job. */

const wordsFor = (job: Job) => (job === 'evaluation' ? evaluation : moderation);

export const ruleTitle = (job: Job, id: string): string => wordsFor(job).ruleTitle(id);
export const outcomeOf = (job: Job, id: string): string | undefined => wordsFor(job).outcomeOf(id);
export const stopOf = (job: Job, reason: string): string => wordsFor(job).stopOf(reason);
export const seatOfRound = (job: Job, turn: { seat: string; round: number | null }): string =>
  wordsFor(job).seatOfRound(turn);
export const seatName = evaluation.seatName;
export const known = evaluation.known;

const parts: Record<string, string> = {
  'strict-debater': 'Argues the risk',
  'loose-debater': 'Argues the benign reading',
  supporter: 'Briefs both sides on precedents before they speak',
  preprocessor: 'Describes an image for all others',
};

/** What a role is there for. */
export function partOf(job: Job, role: string): string | undefined {
  if (job === 'evaluation') return evaluation.partOf(role);
  return role === 'arbiter'
    ? 'Weighs both sides; its findings are under the rules'
    : Object.hasOwn(parts, role)
      ? parts[role]
      : undefined;
}

/** What is held against a case, in the order of priority; `finding` names what the arbiter finds under it. */
export interface RuleWords {
  ids: readonly string[];
  title: string;
  question: string;
  applied: string;
  passed: string;
  finding: string | null;
}

export function rulesOf(job: Job): readonly RuleWords[] {
  if (job === 'evaluation') return evaluationRules.map(({ concept, ...rule }) => ({ ...rule, finding: concept }));
  return moderationRules.map(({ id, side, ...rule }) => ({ ...rule, ids: [id], finding: side ?? null }));
}

/** How a method judges. */
export function methodWords(job: Job, method: string): { title: string; how: string } {
  const words = (wordsFor(job).methodWords as (method: string) => { title: string; how: string } | undefined)(method);
  return words ?? { title: method, how: '' };
}

/** What the verdict means for what was judged. */
export function meaningOf(job: Job, { label, concept, behaviour }: TrialVerdict): string {
  if (job !== 'evaluation') return wordsOf(label).meaning;
  return evaluation.meaningOf({
    verdict: { label, concept: concept ?? null, behaviour: behaviour ?? null },
  } as Parameters<typeof evaluation.meaningOf>[0]);
}
