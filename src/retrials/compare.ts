import { findTurns, type Answer } from '../debate/index.ts';
import type { Analysis } from '../jobs/documents/index.ts';
import type { Difference, Outcome } from './retrial.ts';

type Judged = Answer | Analysis;

export function outcomeOf(answer: Judged): Outcome {
  const { id } = answer;
  const { models } = answer.provenance;
  if ('outlook' in answer)
    return {
      id,
      label: answer.outlook.label,
      score: null,
      escalate: answer.claims.some(({ verdict }) => verdict.escalate),
      rule: answer.outlook.rule,
      categories: [],
      models,
    };
  const { label, score, escalate, rule, categories } = answer.verdict;
  return { id, label, score, escalate, rule, categories: categories.map(({ clause }) => clause), models };
}

/** What moved between two trials of the same case: scores of the seats, then findings; of a dossier, its claims. */
export function differencesOf(before: Judged, after: Judged): Difference[] {
  if ('claims' in before && 'claims' in after) return claimsThatMoved(before, after);
  const earlier = said(before as Answer);
  const later = said(after as Answer);
  const keys = [...new Set([...earlier.keys(), ...later.keys()])];
  return keys.flatMap((at) => {
    const [first = 'not heard', second = 'not heard'] = [earlier.get(at), later.get(at)];
    return first === second ? [] : [{ at, before: first, after: second }];
  });
}

function said({ transcript, verdict }: Answer): Map<string, string> {
  const turns = findTurns(transcript).map((turn): [string, string] => [
    turn.key,
    turn.fallback
      ? `no answer (${turn.fallback.reason})`
      : `${turn.score === null ? '' : `${turn.score.toFixed(2)}: `}${turn.statement}`,
  ]);
  const scored = verdict.score === null ? '' : ` at ${verdict.score.toFixed(2)}`;
  return new Map([...turns, ['verdict', `${verdict.label}${scored}, by ${verdict.rule.id}`]]);
}

/** Claims are told apart by their words: a factor agent that is asked again may number them otherwise. */
function claimsThatMoved(before: Analysis, after: Analysis): Difference[] {
  const labels = (analysis: Analysis) =>
    new Map(analysis.claims.map(({ subject, verdict }) => [subject.text, `${verdict.label}, by ${verdict.rule.id}`]));
  const [first, second] = [labels(before), labels(after)];
  const moved = [...new Set([...first.keys(), ...second.keys()])].flatMap((at) => {
    const [earlier = 'not judged', later = 'not judged'] = [first.get(at), second.get(at)];
    return earlier === later ? [] : [{ at, before: earlier, after: later }];
  });
  const outlook = (analysis: Analysis) => `${analysis.outlook.label}, by ${analysis.outlook.rule.id}`;
  return outlook(before) === outlook(after)
    ? moved
    : [...moved, { at: 'outlook', before: outlook(before), after: outlook(after) }];
}
