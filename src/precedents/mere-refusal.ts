import { refusalWords } from '../evidence/index.ts';
import { wordingOf } from './likeness.ts';
import { partSeparator } from '../text/index.ts';

const refuses = new RegExp(refusalWords, 'i');

/** What a refusal consists of when it does not say what it refuses. */
const emptyWords = new Set(
  (
    'a able about ai all am an and any anything apologise apologize are as ask asked asking assist assistant be ' +
    'because but can cannot comment comply content continue describe describing description ' +
    'detailed details do else feel for free fulfil fulfill fulfilling give goes against guidelines happy have ' +
    'help here i identify if image in is it know language let like m me model more my not objective of on or ' +
    'other ' +
    'photo picture please policy process provide providing question questions re request requested requesting ' +
    'response seeking see share so something sorry t that the there this to unable very view viewing will with ' +
    'won would you your'
  ).split(' '),
);

/**
 * Whether a text, or the description of its image, is nothing but a refusal: then nobody knows what the case was, and
 * it can be no precedent. A refusal that says what it refuses is a text like any other.
 *
 * @example isMereRefusal("I'm sorry, but I can't describe this image.") // true
 */
export function isMereRefusal(text: string): boolean {
  const part = text.split(partSeparator).at(-1)!;
  const [wording] = wordingOf(part);
  return refuses.test(part) && wording!.plain.split(' ').every((word) => emptyWords.has(word));
}
