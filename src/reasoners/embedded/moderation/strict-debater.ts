import { isObservation, type Question } from '../../../debate/index.ts';
import type { Argument, ModerationCaseFile } from '../../../jobs/moderation/index.ts';
import {
  barOf,
  deliberate,
  exoneratingWeight,
  hasSpoken,
  quotesOf,
  scoreOf,
  type Bench,
  type Deliberation,
} from './deliberation.ts';
import { cited, contextNames, distance, quoted } from '../words.ts';
import { joinWithAnd } from '../../../text/index.ts';

/** The worst part in its worst reading, the passages that drive it, the clause it comes nearest to. */
export async function strictAnswer(question: Question<ModerationCaseFile>, bench: Bench): Promise<Argument> {
  const seen = await deliberate(question, bench);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'loose-debater');
  const theirs = answering ? quotesOf(question, 'loose-debater') : [];
  const counting = seen.contexts.filter(({ quote, counts }) => counts && theirs.includes(quote));
  const logit = seen.worst + Math.max(0, seen.leaning) + exoneratingWeight(counting, bench) / 2;
  const fromBar = logit - barOf(bench);
  return {
    statement: answering ? rebuttal(seen, fromBar, theirs, counting) : opening(seen, fromBar),
    concession: counting[0]
      ? `The content does show ${contextNames[counting[0].kind]}: ${quoted(counting[0].quote)}.`
      : null,
    evidence: [...seen.reading.worst.risky],
    clauses: fromBar >= 0 ? seen.clauses.slice(0, 1).map(({ id }) => id) : [],
    score: scoreOf(logit, bench),
  };
}

function opening(seen: Deliberation, fromBar: number): string {
  const { worst, subject } = seen.reading;
  const drivers = joinWithAnd(worst.risky.slice(0, 3).map(quoted));
  const hidden =
    worst !== subject && isObservation(worst.source)
      ? ` It is not in plain sight: ${worst.source.tool} brought out ${quoted(worst.source.text)}.`
      : '';
  if (fromBar < 0) {
    return (
      `Even in the worst reading the risk stands ${distance(fromBar)} the ` +
      `bar${drivers ? `; what speaks most for one is ${drivers}` : ''}. I name no clause.${hidden}`
    );
  }
  const [clause] = seen.clauses;
  const near = clause ? `, nearest to ${clause.id} (${clause.text})` : ', though it resembles no clause of the policy';
  const unsafe = seen.precedents.filter(({ label }) => label === 'unsafe');
  const alike = unsafe.length > 0 ? ` Alike and unsafe: ${cited(unsafe)}.` : '';
  return (
    `In the worst reading the risk stands ${distance(fromBar)} the ` +
    `bar${near}${drivers ? `; ${drivers} ${worst.risky.length === 1 ? 'drives' : 'drive'} it` : ''}.${hidden}${alike}`
  );
}

function rebuttal(
  seen: Deliberation,
  fromBar: number,
  theirs: readonly string[],
  counting: Deliberation['contexts'],
): string {
  const [first] = seen.reading.worst.risky;
  const mine = first ? quoted(first) : 'the risk';
  if (counting.length > 0) {
    const answered = joinWithAnd(
      counting.slice(0, 2).map(({ kind, quote }) => `${quoted(quote)} as ${contextNames[kind]}`),
    );
    return (
      `My opponent points to ${answered}. That counts, and I lower my score for it; ` +
      `${fromBar >= 0 ? `beside it ${mine} stands unchanged` : 'with it, nothing is left that I could call a violation'}.`
    );
  }
  const points = joinWithAnd(theirs.slice(0, 2).map(quoted));
  if (fromBar < 0)
    return (
      `${points ? `My opponent quotes ${points}; I` : 'I'} found no passage that breaks a clause either, and ` +
      'my score stays low.'
    );
  return points
    ? `My opponent quotes ${points}. Words like that carry no weight for me beside ${mine}, so my score stays.`
    : `My opponent quotes no context that would exonerate this, and ${mine} still stands, so my score stays.`;
}
