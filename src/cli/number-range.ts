import { AgonError } from '../errors.ts';

/**
 * The whole numbers that a flag names: one, several, or from one to another.
 *
 * @example numbersIn('--rounds', '2..5', [1, 10]) // [2, 3, 4, 5]
 */
export function numbersIn(flag: string, text: string, [least, most]: readonly [number, number]): number[] {
  const numbers = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(part) ?? [];
    if (from === undefined || Number(from) > Number(to) || Number(to) > most) return [Number.NaN];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, place) => Number(from) + place);
  });
  const fine = numbers.length > 0 && numbers.every((number) => number >= least && number <= most);
  if (!fine)
    throw new AgonError(
      'bad-flag',
      `${flag} ${text} does not name numbers from ${least} to ${most}.`,
      `Write ${flag} ${least + 1}, ${flag} ${least},${most} or ${flag} ${least}..${most}.`,
    );
  return [...new Set(numbers)];
}
