import { findTurns } from '../debate/index.ts';
import { requireJob, type Difference, type JobAnswer } from '../jobs/index.ts';
import type { Outcome } from './retrial.ts';

export function outcomeOf(answer: JobAnswer): Outcome {
  const { id, provenance } = answer;
  return { id, ...requireJob(answer.job).summarize(answer), models: provenance.models };
}

/** What moved between two trials of the same case: as its job tells it, or what the seats said and the verdict. */
export function differencesOf(before: JobAnswer, after: JobAnswer): readonly Difference[] {
  const job = requireJob(before.job);
  if (job.compare) return job.compare(before, after);
  const earlier = statementsIn(before);
  const later = statementsIn(after);
  const keys = [...new Set([...earlier.keys(), ...later.keys()])];
  return keys.flatMap((at) => {
    const [first = 'not heard', second = 'not heard'] = [earlier.get(at), later.get(at)];
    return first === second ? [] : [{ at, before: first, after: second }];
  });
}

function statementsIn(answer: JobAnswer): Map<string, string> {
  const turns = findTurns(answer.transcript).map((turn): [string, string] => [
    turn.key,
    turn.fallback
      ? `no answer (${turn.fallback.reason})`
      : `${turn.score === null ? '' : `${turn.score.toFixed(2)}: `}${turn.statement}`,
  ]);
  const { label, score, rule } = requireJob(answer.job).summarize(answer);
  return new Map([...turns, ['verdict', `${label}${score === null ? '' : ` at ${score.toFixed(2)}`}, by ${rule.id}`]]);
}
