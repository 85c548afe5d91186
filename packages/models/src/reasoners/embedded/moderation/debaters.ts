import { isObservation, type Question } from '@agonhq/engine/debate';
import type { ModerationArgument, ModerationCaseFile } from '@agonhq/judges/moderation';
import {
  findContentBar,
  deliberateOnContent,
  hasSpoken,
  listContentQuotes,
  computeScore,
  type ModerationKit,
  type Deliberation,
} from './deliberation.ts';
import {
  contextNames,
  quoted,
  endSentence,
  explainContext,
  findSpeechAct,
  isClose,
  isPlain,
  isWhole,
  quoteSome,
} from '../phrase-arguments.ts';
import { shortenCharacters, toOneLine, joinWithAnd } from '@agonhq/engine/text';
import { citePrecedent } from '../phrase-precedents.ts';

/** The worst part in its worst reading, the passages that drive it, the clause it comes nearest to. */
export async function strictAnswer(
  question: Question<ModerationCaseFile>,
  kit: ModerationKit,
): Promise<ModerationArgument> {
  const seen = await deliberateOnContent(question, kit);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'loose-debater');
  const theirs = answering ? listContentQuotes(question, 'loose-debater') : [];
  const counting = seen.contexts.filter(({ quote, counts }) => counts && theirs.includes(quote));
  // What the other model finds harmless too is half granted.
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
  // It has a model of its own where the case is contested. Only in round 2 does it hear what strict brought out and
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

/** What the loose debater says first: the benign reading, with the words that show it and the cases decided so. */
function openLoosely(seen: Deliberation, fromBar: number): string {
  const { worst, subject } = seen.reading;
  const cited = citePrecedent(seen.precedents, 'safe', subject.source.text);
  const [driver] = worst.risky;
  if (seen.contexts.length > 0) {
    const reasons = seen.contexts.slice(0, 2).map(explainContext).join('; ');
    const concluded =
      fromBar >= 0
        ? `That speaks for the author, though it does not make ${driver ? quoted(driver) : 'the rest'} harmless.`
        : 'Read with that, I see no breach.';
    return `${reasons}. ${concluded}${cited}`;
  }
  if (fromBar >= 0) return `${searchInVain(seen, driver)}${cited}`;
  return `${readAsItStands(seen, isClose(fromBar))}${cited}`;
}

/** What would excuse each kind of words, if it were there. */
const excuses = {
  request: 'study, news, fiction or the wish to prevent harm',
  address: 'a joke, a figure of speech or the words of somebody else',
  account: 'a report, a quotation, a story or a condemnation',
};

function searchInVain({ reading: { subject } }: Deliberation, driver: string | undefined): string {
  const act = findSpeechAct(subject.source.text);
  const looked = act === 'request' ? 'an innocent reason to ask this' : 'an innocent way to read this';
  const about = driver === undefined ? '' : `, which would have to explain ${quoted(driver)}`;
  return `I looked for ${looked}${about}: ${excuses[act]}. There is none that I could quote, so I do not defend it.`;
}

function readAsItStands({ reading: { subject, worst } }: Deliberation, close: boolean): string {
  const beginning = quoted(shortenCharacters(toOneLine(subject.source.text), 70));
  if (worst !== subject)
    return `What stands in plain sight, ${beginning}, harms nobody. What is hidden in it is for my opponent to show.`;
  if (close)
    return (
      `${beginning} is harsh to read, but people say such things without meaning them, and nothing around it shows ` +
      'that it is meant.'
    );
  if (subject.head === 'image') return 'The image shows an ordinary scene, and I find nothing that needs a defence.';
  if (subject.head === 'pair') return 'I read text and image together, and neither makes the other harmful.';
  return findSpeechAct(subject.source.text) === 'request'
    ? endSentence(`One can answer this without helping anybody to do harm: ${beginning}`)
    : `I find nothing in ${beginning} that threatens, demeans or helps to harm anybody.`;
}

/** What it says when it has heard the other side. */
function replyLoosely(seen: Deliberation, fromBar: number, theirs: string | undefined): string {
  const [context] = seen.contexts;
  if (context) {
    if (!theirs) return `My opponent quotes nothing against it, and ${explainContext(context)}.`;
    return fromBar >= 0
      ? `${quoted(theirs)} weighs heavily, I grant that. It is true that ${explainContext(context)}, but that does ` +
          'not outweigh it.'
      : `My opponent leans on ${quoted(theirs)}. In the same text, ${explainContext(context)}, and that answers it.`;
  }
  if (fromBar >= 0)
    return theirs
      ? `I have nothing to set against ${quoted(theirs)}, and I do not defend it.`
      : 'I have nothing to set against this, and I do not defend it.';
  return theirs
    ? `${quoted(theirs)} is the most that my opponent can quote, and by itself it breaks no clause.`
    : 'My opponent quotes no passage that would break a clause, and I know of none.';
}

/** What the strict debater says first: which words break which rule, how, and which case was decided so. */
function openStrictly(seen: Deliberation, fromBar: number): string {
  return fromBar >= 0 ? accuse(seen, fromBar) : findNothing(seen, fromBar);
}

function accuse(seen: Deliberation, fromBar: number): string {
  const cited = citePrecedent(seen.precedents, 'unsafe', seen.reading.worst.source.text);
  const sure = isClose(fromBar)
    ? ' It is a close call, and I lean to the side of caution.'
    : isPlain(fromBar) && seen.contexts.length === 0
      ? ' I see no other way to read that.'
      : '';
  return `${describeHarm(seen)}${sure}${cited}`;
}

/** Below this a clause is only the one that fits best. */
const fitting = 0.35;

function nameBreach({ clauses: [clause] }: Deliberation, verb: string): string {
  if (!clause) return `${verb} harm, though no clause of the policy fits it well`;
  return clause.similarity < fitting
    ? `${verb} harm, and of the policy’s clauses “${clause.text}” fits best`
    : `${verb} “${clause.text}”, which the policy forbids`;
}

function describeHarm(seen: Deliberation): string {
  const { worst, subject } = seen.reading;
  const words = worst.risky.length > 0 ? quoteSome(worst.risky) : 'The whole of it';
  const one = worst.risky.length < 2;
  const amounts = nameBreach(seen, one ? 'amounts to' : 'amount to');
  if (isObservation(worst.source) && (worst !== subject || worst.source.whole === true)) {
    const found =
      worst.source.tool === 'ocr'
        ? `The words are in the image: it reads ${quoted(worst.source.text)}`
        : `The harm is not in plain sight: decoded (${worst.source.tool}), it says ${quoted(worst.source.text)}`;
    return `${endSentence(found)} Whatever it is wrapped in, that ${nameBreach(seen, 'amounts to')}.`;
  }
  if (worst.head === 'image') return `What the image shows, ${words}, ${amounts}.`;
  if (worst.head === 'pair') return `Text and image make one message, and in it ${words} ${amounts}.`;
  switch (findSpeechAct(worst.source.text)) {
    case 'request':
      return `The author asks for it: ${endSentence(words)} To answer would be ${nameBreach(seen, 'to help with')}.`;
    case 'address':
      return `${words} ${one ? 'is' : 'are'} said to somebody, and at face value ${amounts}.`;
    case 'account':
      return `${words} ${one ? 'is' : 'are'} what I object to. At face value that ${nameBreach(seen, 'amounts to')}.`;
  }
}

function findNothing(seen: Deliberation, fromBar: number): string {
  const { text } = seen.reading.worst.source;
  const [first] = seen.reading.worst.risky;
  const missing = ', but what made that one unsafe is missing here';
  const likeness = citePrecedent(seen.precedents, 'unsafe', text, missing);
  const isRequest = findSpeechAct(text) === 'request';
  if (first !== undefined && isClose(fromBar))
    return `${quoted(first)} gives me pause, but not enough to say that it breaks a clause.${likeness}`;
  const looked = isRequest
    ? 'I looked for a harmful purpose behind the question'
    : 'I took the worst reading of this that I could';
  if (first === undefined || isPlain(fromBar) || isWhole(first, text))
    return `${looked} and found no breach.${likeness}`;
  return `${looked}. ${quoted(first)} is the most that I can quote for it, and it breaks no clause.${likeness}`;
}

/** What it says when it has heard the other side: what it grants, and what stands all the same. */
function replyStrictly(
  seen: Deliberation,
  fromBar: number,
  theirs: readonly string[],
  counting: Deliberation['contexts'],
): string {
  const [first] = seen.reading.worst.risky;
  const mine = first ? quoted(first) : 'the harm';
  if (counting.length > 0) {
    const granted = joinWithAnd(
      counting.slice(0, 2).map(({ kind, quote }) => `${quoted(quote)}, which is ${contextNames[kind]}`),
    );
    return fromBar >= 0
      ? `My opponent points to ${granted}. That is fair, and I count it. But ${mine} is still there, and a frame ` +
          'around it does not undo it.'
      : `My opponent points to ${granted}. That is fair, and with it nothing is left that I would call a breach.`;
  }
  const points = quoteSome(theirs);
  if (fromBar < 0)
    return points
      ? `My opponent quotes ${points}. I have found no breach either, and do not insist.`
      : 'Neither of us has found a breach, and I do not insist.';
  return points
    ? `My opponent quotes ${points}. Words like these cost nothing, and ${mine} stands beside them unchanged.`
    : `My opponent has quoted nothing that would excuse ${mine}, so I stand by what I said.`;
}
