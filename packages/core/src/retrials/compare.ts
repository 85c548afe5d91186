import { findTurns } from '@agonhq/engine/debate';
import { measureRisk } from '@agonhq/engine/statistics';
import type { AnswerSummary, Difference, Job, JobAnswer } from '@agonhq/judges/job';

/** The version of the JSON shape of a retrial. */
export const retrialVersion = 1;

/** A case that was held again, and what came of it. */
export interface Retrial {
  version: typeof retrialVersion;
  how: 'replay' | 'appeal';
  /** The first trial. */
  of: string;
  /** What was different this time, in words. */
  changes: readonly string[];
  before: Outcome;
  after: Outcome;
  flipped: boolean;
  /** What moved, in the order of the trial. */
  differences: readonly Difference[];
  /** Entries that were recalled from the first trial, and those that were argued anew. */
  recalled: readonly string[];
  argued: readonly string[];
  /** What a reader must know. */
  notes: readonly string[];
  answer: JobAnswer;
}

/** What was decided, and by whom. */
export interface Outcome extends AnswerSummary {
  id: string;
  /** Which model each seat was filled with. */
  models: Record<string, string>;
}

export function summarizeOutcome(job: Job, answer: JobAnswer): Outcome {
  const { id, provenance } = answer;
  return { id, ...job.summarize(answer), models: provenance.models };
}

/** What moved between two trials of the same case: as its job tells it, or what the seats said and the verdict. */
export function compareAnswers(job: Job, before: JobAnswer, after: JobAnswer): readonly Difference[] {
  if (job.compare) return job.compare(before, after);
  const earlier = statementsIn(job, before);
  const later = statementsIn(job, after);
  const keys = [...new Set([...earlier.keys(), ...later.keys()])];
  return keys.flatMap((at) => {
    const [first = 'not heard', second = 'not heard'] = [earlier.get(at), later.get(at)];
    return first === second ? [] : [{ at, before: first, after: second }];
  });
}

function statementsIn(job: Job, answer: JobAnswer): Map<string, string> {
  const summary = job.summarize(answer);
  const calibration = answer.provenance.calibration ?? null;
  // Where a verdict states a risk, its seats are told on the same scale.
  const place = (score: number) => measureRisk(score, calibration).risk ?? score;
  const turns = findTurns(answer.transcript).map((turn): [string, string] => [
    turn.key,
    turn.fallback
      ? `no answer (${turn.fallback.reason})`
      : `${turn.score === null ? '' : `${place(turn.score).toFixed(2)}: `}${turn.statement}`,
  ]);
  const { label, risk, rule } = summary;
  return new Map([...turns, ['verdict', `${label}${risk === null ? '' : ` at ${risk.toFixed(2)}`}, by ${rule.id}`]]);
}
