import type { Question } from '../../../debate/index.ts';
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

/** The loose debater: the benign context it can quote, the safe precedents, and a concession where there is neither. */
export async function looseAnswer(question: Question<ModerationCaseFile>, bench: Bench): Promise<Argument> {
  const seen = await deliberate(question, bench);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'strict-debater');
  const [theirs] = answering ? quotesOf(question, 'strict-debater') : seen.reading.worst.risky;
  // Only in round 2 does it hear what strict brought out and which precedents speak against it.
  const logit =
    (answering ? seen.worst : seen.subject) +
    exoneratingWeight(seen.contexts, bench) +
    (answering ? seen.leaning : Math.min(0, seen.leaning));
  const fromBar = logit - barOf(bench);
  return {
    statement: answering ? reply(seen, fromBar, theirs) : opening(seen, fromBar),
    concession:
      fromBar >= 0 && seen.contexts.length === 0
        ? `I find no benign context to quote${theirs ? ` against ${quoted(theirs)}` : ''}.`
        : null,
    evidence: seen.contexts.slice(0, 3).map(({ quote }) => quote),
    clauses: [],
    score: scoreOf(logit, bench),
  };
}

function opening(seen: Deliberation, fromBar: number): string {
  const safe = seen.precedents.filter(({ label }) => label === 'safe');
  const alike = safe.length > 0 ? ` Alike and safe: ${cited(safe)}.` : '';
  if (seen.contexts.length > 0) {
    const kinds = joinWithAnd([...new Set(seen.contexts.map(({ kind }) => contextNames[kind]))]);
    return (
      `The content shows ${kinds}: ${joinWithAnd(seen.contexts.slice(0, 3).map(({ quote }) => quoted(quote)))}.${alike} ` +
      `Read with that, the risk stands ${distance(fromBar)} the bar.`
    );
  }
  if (fromBar >= 0) {
    return (
      'I looked for a refusal, teaching, news, fiction, prevention, self-defence, condemnation, quotation, ' +
      `negation or a figure of speech and found none to quote.${alike} I cannot exonerate this.`
    );
  }
  return `Read as it stands, the risk is ${distance(fromBar)} the bar, and no exoneration is needed.${alike}`;
}

function reply(seen: Deliberation, fromBar: number, theirs: string | undefined): string {
  const [context] = seen.contexts;
  if (context) {
    const own = `${quoted(context.quote)}, ${contextNames[context.kind]},`;
    if (!theirs) return `My opponent quotes nothing, and ${own} stands unanswered.`;
    return (
      `My opponent quotes ${quoted(theirs)}; in the same content stands ${own} which ` +
      `${fromBar >= 0 ? 'does not outweigh it' : 'answers it'}.`
    );
  }
  if (fromBar >= 0) return `${theirs ? `Against ${quoted(theirs)}` : 'Against this'} I have nothing to set.`;
  return theirs
    ? `My opponent quotes ${quoted(theirs)}, and still the risk stands ${distance(fromBar)} the bar.`
    : 'My opponent quotes no passage that would break a clause.';
}
