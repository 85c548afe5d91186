import { isObservation } from '@agonhq/engine/debate';
import { joinWithAnd } from '@agonhq/engine/text';
import {
  contextNames,
  endSentence,
  findSpeechAct,
  isClose,
  isPlain,
  isWhole,
  quoted,
  quoteSome,
} from '../phrase-arguments.ts';
import { citePrecedent } from '../phrase-precedents.ts';
import type { Deliberation } from './deliberation.ts';

/** What the strict debater says first: which words break which rule, how, and which case was decided so. */
export function openStrictly(seen: Deliberation, fromBar: number): string {
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
export function replyStrictly(
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
