import { foundAt, keepDigits, type Found } from './found.ts';

/* Numbers that carry their own proof: what does not add up is left alone. */

const iban = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{1,4}){3,8}/giu;
const card = /(?<![\d.,-])[2-6]\d{3}(?:[ -]?\d{2,6}){2,4}(?![\d]|[.,]\d)/g;

export function findAccounts(text: string): Found[] {
  return findEach(text, iban, readAccount);
}

/** What a match ran on into may itself begin a number: the search goes on behind what was found, not behind the match. */
function findEach(
  text: string,
  form: RegExp,
  read: (text: string, index: number, whole: string) => Found | null,
): Found[] {
  const found: Found[] = [];
  form.lastIndex = 0;
  for (let match = form.exec(text); match; match = form.exec(text)) {
    const number = read(text, match.index, match[0]);
    if (number) found.push(number);
    form.lastIndex = number?.end ?? match.index + 1;
  }
  return found;
}

/** The groups may run on into the next word: the longest that adds up is the number. */
function readAccount(text: string, index: number, whole: string): Found | null {
  for (let end = whole.length; end >= 15; end -= 1) {
    if (/[\p{L}\p{N}]/u.test(text[index + end] ?? '')) continue;
    const part = whole.slice(0, end);
    const plain = part.replaceAll(/[ -]/g, '').toUpperCase();
    if (/[A-Z0-9]$/i.test(part) && plain.length >= 15 && plain.length <= 34 && hasRightRest(plain))
      return foundAt('account', index, part, plain);
  }
  return null;
}

/** ISO 13616: letters as numbers, the first four at the end, one over a multiple of 97. */
function hasRightRest(plain: string): boolean {
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

export function findCards(text: string): Found[] {
  return findEach(text, card, readCard);
}

/** A date or a check number may stand behind it, as further groups: the longest that adds up is the number. */
function readCard(_: string, index: number, whole: string): Found | null {
  const groups = [...whole.matchAll(/\d+/g)].toReversed();
  for (const { index: start, 0: group } of groups) {
    const part = whole.slice(0, start + group.length);
    const digits = keepDigits(part);
    if (digits.length >= 13 && digits.length <= 19 && !/^(\d)\1+$/.test(digits) && addsUp(digits))
      return foundAt('card', index, part, digits);
  }
  return null;
}

/** Luhn: every second digit doubled, a multiple of ten. */
function addsUp(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, place) => {
      const number = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (number > 9 ? number - 9 : number);
    }, 0);
  return sum % 10 === 0;
}

interface NationalNumber {
  /** As it stands between other words; a pattern where it stands only behind some. */
  form: string | RegExp;
  isRight(plain: string): boolean;
}

const weigh = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;

const nationalNumbers: readonly NationalNumber[] = [
  // United States, social security: no check digit, but numbers that are never given out.
  { form: '\\d{3}-\\d{2}-\\d{4}', isRight: (n) => !/^(?:000|666|9)|^\d{3}00|0000$/.test(n) },
  // United Kingdom, national insurance.
  {
    form: '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]',
    isRight: (n) => !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(n),
  },
  // Spain: DNI and NIE.
  {
    form: '[XYZ0-9]-?\\d{7}-?[A-HJ-NP-TV-Z]',
    isRight: (n) =>
      'TRWAGMYFPDXBNJZSQVHLCKE'[Number(n.slice(0, 8).replace(/^[XYZ]/, (l) => String('XYZ'.indexOf(l)))) % 23] === n[8],
  },
  // Italy: codice fiscale, whose form is rare enough.
  { form: '[A-Z]{6}\\d{2}[A-EHLMPR-T]\\d{2}[A-Z]\\d{3}[A-Z]', isRight: () => true },
  // Brazil: CPF, as it is written.
  {
    form: '\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}',
    isRight: (n) =>
      [9, 10].every((length) => {
        const rest =
          (weigh(
            n,
            Array.from({ length }, (_, place) => length + 1 - place),
          ) *
            10) %
          11;
        return (rest === 10 ? 0 : rest) === Number(n[length]);
      }),
  },
  // Poland: PESEL.
  {
    form: '\\d{11}',
    isRight: (n) =>
      isDay(Number(n.slice(2, 4)) % 20, Number(n.slice(4, 6))) &&
      weigh(n, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
  // Sweden: personnummer.
  {
    form: '(?:19|20)?\\d{6}[-+]\\d{4}',
    isRight: (n) => isDay(Number(n.slice(-8, -6)), Number(n.slice(-6, -4))) && addsUp(n.slice(-10)),
  },
  // France: NIR with its key.
  {
    form: '[12] ?\\d{2} ?(?:0[1-9]|1[0-2]) ?\\d{2} ?\\d{3} ?\\d{3} ?\\d{2}',
    isRight: (n) => 97n - (BigInt(n.slice(0, 13)) % 97n) === BigInt(n.slice(13)),
  },
  // China: resident identity card.
  {
    form: '[1-9]\\d{5}(?:19|20)\\d{9}[\\dX]',
    isRight: (n) => '10X98765432'[weigh(n, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === n[17],
  },
  // Germany: tax number, only where it is called so, since one number in ten adds up.
  {
    form: /(?<=(?:steuer-?id\w{0,30}|idnr\.?|identifikationsnummer)[^\d\n]{1,20})\d{2} ?\d{3} ?\d{3} ?\d{3}(?!\d)/giu,
    isRight: () => true,
  },
];

let patterns: readonly RegExp[] | undefined;

function makePattern({ form }: NationalNumber): RegExp {
  return typeof form === 'string' ? new RegExp(`(?<![\\p{L}\\p{N}.-])${form}(?![\\p{L}\\p{N}]|-\\d)`, 'giu') : form;
}

export function findNationalNumbers(text: string): Found[] {
  const found = (patterns ??= nationalNumbers.map(makePattern));
  return nationalNumbers.flatMap(({ isRight }, number) =>
    Array.from(text.matchAll(found[number]!)).flatMap(({ 0: whole, index }) => {
      const plain = whole.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
      return isRight(plain) ? [foundAt('id', index, whole, plain)] : [];
    }),
  );
}
