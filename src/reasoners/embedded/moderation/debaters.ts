import type { Question } from '../../../debate/index.ts';
import type { Argument, ModerationCaseFile } from '../../../jobs/moderation/index.ts';
import {
  findBar,
  deliberate,
  exoneratingWeight,
  hasSpoken,
  listQuotes,
  computeScore,
  type ModerationKit,
} from './deliberation.ts';
import { openLoosely, replyLoosely } from './argue-loosely.ts';
import { openStrictly, replyStrictly } from './argue-strictly.ts';
import { contextNames, quoted } from '../phrase-arguments.ts';

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
    concession: counting[0] ? `I grant that ${quoted(counting[0].quote)} is ${contextNames[counting[0].kind]}.` : null,
    evidence: [...seen.reading.worst.risky],
    clauses: fromBar >= 0 ? seen.clauses.slice(0, 1).map(({ id }) => id) : [],
    score: computeScore(logit, kit),
  };
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
        ? `I can quote nothing that would excuse ${theirs ? quoted(theirs) : 'it'}.`
        : null,
    evidence: seen.contexts.slice(0, 3).map(({ quote }) => quote),
    clauses: [],
    score: computeScore(logit, kit),
  };
}
