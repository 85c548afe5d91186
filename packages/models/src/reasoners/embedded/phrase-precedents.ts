import type { Precedent } from '@agonhq/engine/debate';
import { describePictureMatch } from '@agonhq/engine/fingerprint';
import { joinWithAnd, wordSet } from '@agonhq/engine/text';
import { quoted } from './phrase-arguments.ts';

/** From these similarities on, two cases are said to be nearly the same, or much alike. */
const degrees = { same: 0.8, much: 0.6 };

/** How alike a precedent is, in words. */
export function describeLikeness({ similarity, picture }: Pick<Precedent, 'similarity' | 'picture'>): string {
  if (picture) return describePictureMatch(picture);
  if (similarity >= degrees.same) return 'nearly the same';
  return similarity >= degrees.much ? 'much like it' : 'of the same kind';
}

/**
 * The precedent that speaks most for a label, as a sentence: what it was, how it was decided, and what it has in
 * common with the case. Empty where there is none.
 */
export function citePrecedent(
  precedents: readonly Precedent[],
  label: Precedent['label'],
  text: string,
  remark = '',
): string {
  const [first, ...others] = precedents.filter((precedent) => precedent.label === label);
  if (!first) return '';
  const shared = sharedWords(text, first.summary).slice(0, 3);
  const common = shared.length > 0 ? `, and both speak of ${joinWithAnd(shared.map((word) => `“${word}”`))}` : '';
  const further = others.length > 0 ? ` ${countOthers(others.length, label)}` : '';
  return (
    ` A case that ${describeDecider(first)} ${label} is ${describeLikeness(first)}: ` +
    `${quoted(first.summary)}${common}${remark}.${further}`
  );
}

function describeDecider({ confirmedBy = 'seed' }: Precedent): string {
  return confirmedBy === 'seed' ? 'was decided' : 'people here decided to be';
}

const numbers = ['', 'One other', 'Two others', 'Three others', 'Four others', 'Five others'];

function countOthers(count: number, label: string): string {
  return `${numbers[count] ?? 'Several others'} like it ${count === 1 ? 'was' : 'were'} ${label} too.`;
}

/** Words that mean something and stand in both texts, in the order of the first. */
export function sharedWords(one: string, other: string): string[] {
  const theirs = contentWords(other);
  return [...contentWords(one)].filter((word) => theirs.has(word));
}

/** Words that mean something and stand in the second text alone. */
export function missingWords(one: string, other: string): string[] {
  const own = contentWords(one);
  return [...contentWords(other)].filter((word) => !own.has(word));
}

const common = wordSet(`
  about after also because been being between could does from have into just like make more most much only other over
  some such than that their them then there these they this those very want were what when where which while will with
  would your here each every same said says tell know even still case image shows text reads question request
  asks asked post author somebody someone wants person`);

function contentWords(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .match(/(?<![\p{L}'’])\p{L}{4,}(?![\p{L}'’])/gu)
      ?.filter((word) => !common.has(word)) ?? [],
  );
}
