import type { Question } from '@agonhq/engine/debate';
import type { ModerationArgument, ModerationCaseFile } from '@agonhq/judges/moderation';
import {
  findContentBar,
  deliberateOnContent,
  hasSpoken,
  listContentQuotes,
  computeScore,
  type ModerationKit,
} from './deliberation.ts';
import { openLoosely, replyLoosely } from './argue-loosely.ts';
import { openStrictly, replyStrictly } from './argue-strictly.ts';
import { contextNames, quoted } from '../phrase-arguments.ts';

/** The worst part in its worst reading, the passages that drive it, the clause it comes nearest to. */
export async function strictAnswer(
  question: Question<ModerationCaseFile>,
  kit: ModerationKit,
): Promise<ModerationArgument> {
  const seen = await deliberateOnContent(question, kit);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'loose-debater');
  const theirs = answering ? listContentQuotes(question, 'loose-debater') : [];
  const counting = seen.contexts.filter(({ quote, counts }) => counts && theirs.includes(quote));
  // What the other mind finds harmless too is half granted.
  const granted = counting.length > 0 && seen.second ? (seen.second.alone - seen.worst) / 2 : 0;
  const logit = seen.worst + Math.max(0, seen.leaning) + granted;
  const fromBar = logit - findContentBar(kit);
  return {
    statement: answering ? replyStrictly(seen, fromBar, theirs, counting) : openStrictly(seen, fromBar),
    concession: counting[0] ? `I grant that ${quoted(counting[0].quote)} is ${contextNames[counting[0].kind]}.` : null,
    evidence: [...seen.reading.worst.risky],
    clauses: fromBar >= 0 ? seen.clauses.slice(0, 1).map(({ id }) => id) : [],
    score: computeScore(logit, kit),
  };
}

/** The loose debater: the benign context it can quote, the safe precedents, and a concession where there is neither. */
export async function looseAnswer(
  question: Question<ModerationCaseFile>,
  kit: ModerationKit,
): Promise<ModerationArgument> {
  const seen = await deliberateOnContent(question, kit);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'strict-debater');
  const [theirs] = answering ? listContentQuotes(question, 'strict-debater') : seen.reading.worst.risky;
  // It has a mind of its own where the case is contested. Only in round 2 does it hear what strict brought out and
  // which precedents speak against it.
  const own = seen.second?.alone ?? (answering ? seen.worst : seen.subject);
  const logit = own + (answering ? seen.leaning : Math.min(0, seen.leaning));
  const fromBar = logit - findContentBar(kit);
  const calming = fromBar < 0 ? (seen.second?.calming ?? []) : [];
  return {
    statement: answering ? replyLoosely(seen, fromBar, theirs) : openLoosely(seen, fromBar),
    concession:
      fromBar >= 0 && seen.contexts.length === 0
        ? `I can quote nothing that would excuse ${theirs ? quoted(theirs) : 'it'}.`
        : null,
    evidence: [...seen.contexts.map(({ quote }) => quote), ...calming].slice(0, 3),
    clauses: [],
    score: computeScore(logit, kit),
  };
}
