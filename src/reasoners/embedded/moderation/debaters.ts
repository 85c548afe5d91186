import { isObservation, type Question } from '../../../debate/index.ts';
import type { Argument, ModerationCaseFile } from '../../../jobs/moderation/index.ts';
import {
  findBar,
  deliberate,
  exoneratingWeight,
  hasSpoken,
  listQuotes,
  computeScore,
  type ModerationKit,
  type Deliberation,
} from './deliberation.ts';
import { cited, contextNames, distance, quoted } from '../phrase-arguments.ts';
import { joinWithAnd } from '../../../text/index.ts';

/** The worst part in its worst reading, the passages that drive it, the clause it comes nearest to. */
export async function strictAnswer(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Argument> {
  const seen = await deliberate(question, kit);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'loose-debater');
  const theirs = answering ? listQuotes(question, 'loose-debater') : [];
  const counting = seen.contexts.filter(({ quote, counts }) => counts && theirs.includes(quote));
  const logit = seen.worst + Math.max(0, seen.leaning) + exoneratingWeight(counting, kit) / 2;
  const fromBar = logit - findBar(kit);
  return {
    statement: answering ? replyStrictly(seen, fromBar, theirs, counting) : openStrictly(seen, fromBar),
    concession: counting[0]
      ? `The content does show ${contextNames[counting[0].kind]}: ${quoted(counting[0].quote)}.`
      : null,
    evidence: [...seen.reading.worst.risky],
    clauses: fromBar >= 0 ? seen.clauses.slice(0, 1).map(({ id }) => id) : [],
    score: computeScore(logit, kit),
  };
}

function openStrictly(seen: Deliberation, fromBar: number): string {
  const { worst, subject } = seen.reading;
  const drivers = joinWithAnd(worst.risky.slice(0, 3).map(quoted));
  const hidden =
    isObservation(worst.source) && (worst !== subject || worst.source.whole === true)
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

function replyStrictly(
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
    const left =
      fromBar >= 0 ? `beside it ${mine} stands unchanged` : 'with it, nothing is left that I could call a violation';
    return `My opponent points to ${answered}. That counts, and I lower my score for it; ${left}.`;
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

/** The loose debater: the benign context it can quote, the safe precedents, and a concession where there is neither. */
export async function looseAnswer(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Argument> {
  const seen = await deliberate(question, kit);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'strict-debater');
  const [theirs] = answering ? listQuotes(question, 'strict-debater') : seen.reading.worst.risky;
  // Only in round 2 does it hear what strict brought out and which precedents speak against it.
  const logit =
    (answering ? seen.worst : seen.subject) +
    exoneratingWeight(seen.contexts, kit) +
    (answering ? seen.leaning : Math.min(0, seen.leaning));
  const fromBar = logit - findBar(kit);
  return {
    statement: answering ? replyLoosely(seen, fromBar, theirs) : openLoosely(seen, fromBar),
    concession:
      fromBar >= 0 && seen.contexts.length === 0
        ? `I find no benign context to quote${theirs ? ` against ${quoted(theirs)}` : ''}.`
        : null,
    evidence: seen.contexts.slice(0, 3).map(({ quote }) => quote),
    clauses: [],
    score: computeScore(logit, kit),
  };
}

function openLoosely(seen: Deliberation, fromBar: number): string {
  const safe = seen.precedents.filter(({ label }) => label === 'safe');
  const alike = safe.length > 0 ? ` Alike and safe: ${cited(safe)}.` : '';
  if (seen.contexts.length > 0) {
    const kinds = joinWithAnd([...new Set(seen.contexts.map(({ kind }) => contextNames[kind]))]);
    const quotes = joinWithAnd(seen.contexts.slice(0, 3).map(({ quote }) => quoted(quote)));
    return (
      `The content shows ${kinds}: ${quotes}.${alike} ` +
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

function replyLoosely(seen: Deliberation, fromBar: number, theirs: string | undefined): string {
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
