import { readWhole, type Finding } from './finding.ts';
import { isRiskWord } from '@agonhq/engine/language';
import { findMatches, pattern } from '@agonhq/engine/text';
import { findInjectionRanges } from '../find-injections.ts';
import type { Range } from '@agonhq/engine/evidence';

/** Sentences and clauses that say how something is to be treated or who the model is, and nothing else. */
const frames: readonly RegExp[] = [
  pattern('gi')`
      \b(?:please\s+|can\s+you\s+|could\s+you\s+)?(?:translate|render|convert|rewrite|rephrase|paraphrase|summari[sz]e
      |spell-?check|proofread|repeat|decode)\s+(?:the\s+following|this|these|it|what\s+follows)\b
      [^.!?\n:]{0,80}[:.!?\n]`,
  pattern('giu')`
      \b(?:please\s+)?(?:translate|render)\s+(?:in)?to\s+\p{L}{3,20}\s*[:\n]`,
  pattern('gi')`
      \byou(?:['’]re|\s+are)\s+(?:now\s+)?(?:called\s+|named\s+)?(?:dan\b|stan\b|an?\s+(?:\w+\s+){0,3}
      (?:ai|assistant|bot|chatbot|model|character|villain|actor|novelist|screenwriter|expert|hacker)\b)
      [^.!?\n:]{0,200}[.!?\n:,]`,
  pattern('gi')`
      \b(?:stay|remain|be)\s+in\s+character\b[^.!?\n:]{0,120}[.!?\n:,]
      |\b(?:as|like)\s+(?:dan|stan)\s*[,:]|\bin\s+this\s+(?:role-?play|game|hypothetical|scenario|scene)\s*,`,
];

/** Those that describe a role at length: they may say something of their own. */
const openFrame = pattern('gi')`
      \b(?:let(?:['’]s|\s+us)\s+(?:play|role-?play)|(?:pretend|imagine|act|role-?play|behave|speak|respond|answer)\s+
      (?:that\s+|now\s+)?(?:you(?:['’]re|\s+are|\s+were)|to\s+be|as(?:\s+if)?|like)\b)[^.!?\n:]{1,200}[.!?\n:,]`;

const connectors = /^(?:[\s,.;:!"“”'’()[\]*>-]+|(?:and|then|now|so|but|instead|also|next)\b(?=[\s,:]))+/i;
const maxLength = 20_000;

/**
 * What is left of a text without the frame it was put in: orders to the judge or the model, roles, claimed verdicts,
 * requests to translate. Read beside the whole, so that the frame neither adds nor takes off.
 */
export function framedText(text: string): Finding[] {
  if (text.length > maxLength) return [];
  const find = (frame: RegExp) =>
    Array.from(findMatches(text, frame), ({ 0: match, index }) => ({ start: index, end: index + match.length }));
  const roles = find(openFrame);
  const cuts = [...findInjectionRanges(text), ...frames.flatMap(find), ...roles].toSorted((a, b) => a.start - b.start);
  if (cuts.length === 0) return [];
  const rest = keepOutside(text, cuts);
  const words = rest.match(/\p{L}{2,}/gu)?.length ?? 0;
  if (words < 2) return [];
  const isMere = roles.length === 0 && !cuts.some(({ start, end }) => isLoaded(text.slice(start, end)));
  const found = readWhole('unframed', text, rest);
  const original = text.slice(cuts[0]!.start, cuts[0]!.end);
  // A frame that says nothing of its own makes nothing worse.
  return [{ ...found, original, replaces: isMere ? found.replaces : [] }];
}

function isLoaded(frame: string): boolean {
  return (frame.toLowerCase().match(/[a-z]{3,}/g) ?? []).some(isRiskWord);
}

function keepOutside(text: string, cuts: readonly Range[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of cuts) {
    if (start > at) kept.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  kept.push(text.slice(at));
  return kept
    .map((piece) => piece.replace(connectors, '').replace(/(?<!["“”\s([*<-])["“”\s([*<-]+$/, ''))
    .filter((piece) => /\p{L}{2}/u.test(piece))
    .join('\n');
}
