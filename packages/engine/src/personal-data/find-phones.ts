import { findPhoneNumbersInText, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { foundAt, keepDigits, type Found } from './found.ts';

/*
 * A number with its country code proves itself. A national one does not: some country dials nearly every row of ten
 * digits. So it must look dialled (a leading zero that is valid somewhere, the American grouping) or be called a
 * telephone number.
 */

/** Where national numbers begin with a zero, the most spoken of first. */
const zeroCountries: readonly CountryCode[] = [
  'DE',
  'GB',
  'FR',
  'IT',
  'NL',
  'BE',
  'AT',
  'CH',
  'AU',
  'SE',
  'IE',
  'FI',
  'TR',
  'IN',
  'JP',
  'ZA',
  'UA',
  'RO',
  'IL',
  'ID',
];

const leadingZero =
  /(?<![\p{Script=Latin}\p{N}.,:/+-])(?:\(0\d{1,5}\)|0\d{1,5})(?:[ /.-]{0,2}\d{2,8}){1,5}(?![\p{N}]|[.,:/-]\d|\p{Script=Latin})/gu;
const american =
  /(?<![\p{N}.,/-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\p{N}]|[.,/-]\d)/gu;
/** What is said before a number that is to be dialled, in a dozen languages. */
const cues = [
  String.raw`tel|fon|phone|telephone|mobile|cell|call(?: me| us| him| her| them| now)?|text me|sms|ring`,
  String.raw`|whats ?app|signal|telegram|fax|hotline|dial|number|telefon|tel[eé]fono|telefone|handy|mobil|nummer`,
  String.raw`|ruf|anrufen|m[oó]vil|celular|ll[aá]ma(?:me|nos)?|n[uú]mero|num[eé]ro|appelle[rz]?|portable`,
  String.raw`|cellulare|numero|chiama(?:mi)?|bel|телефон|звони(?:те)?|ligue?|номер`,
].join('');
const called = new RegExp(
  String.raw`(?:(?<![\p{L}])(?:${cues})(?![\p{L}])|电话|電話|手机)[^\d\n+(]{0,24}` +
    String.raw`(\(?\d[\d ()/.-]{4,22}\d)(?!\d|[.,]\d|\p{Script=Latin}|%|[ ]?[€$£])`,
  'giu',
);

export function findPhones(text: string): Found[] {
  return [...findInternational(text), ...findNational(text), ...findCalled(text)];
}

function findInternational(text: string): Found[] {
  // Loading and walking is dear: most texts have neither.
  if (!/\+ ?\(?\d|(?<!\d)00[1-9]/.test(text)) return [];
  const withPlus = findPhoneNumbersInText(text).map(({ startsAt, endsAt, number }) =>
    foundAt('phone', startsAt, text.slice(startsAt, endsAt), number.number),
  );
  const withZeros = Array.from(text.matchAll(/(?<![\p{L}\p{N}.,])00[1-9](?:[ /.()-]{0,2}\d){7,13}(?!\d)/gu)).flatMap(
    ({ 0: whole, index }) => {
      const parsed = parsePhoneNumberFromString(`+${keepDigits(whole).slice(2)}`);
      return parsed?.isValid() ? [foundAt('phone', index, whole, parsed.number)] : [];
    },
  );
  return [...withPlus, ...withZeros];
}

function findNational(text: string): Found[] {
  const zeros = Array.from(text.matchAll(leadingZero)).flatMap(({ 0: whole, index }) => {
    const digits = keepDigits(whole);
    if (digits.startsWith('00') || digits.length < 9 || digits.length > 13 || isOtherNumber(whole, text, index))
      return [];
    const valid = zeroCountries.some((country) => parsePhoneNumberFromString(digits, country)?.isValid());
    return valid ? [foundAt('phone', index, whole, digits.replace(/^0/, ''))] : [];
  });
  const others = Array.from(text.matchAll(american)).flatMap(({ 0: whole, index }) =>
    isOtherNumber(whole, text, index) ? [] : [foundAt('phone', index, whole, keepDigits(whole).slice(-10))],
  );
  return [...zeros, ...others];
}

function findCalled(text: string): Found[] {
  return Array.from(text.matchAll(called)).flatMap(({ 0: whole, 1: number, index }) => {
    const digits = keepDigits(number!);
    const at = index + whole.length - number!.length;
    if (digits.length < 7 || digits.length > 13 || isOtherNumber(number!, text, at)) return [];
    return [foundAt('phone', at, number!, digits.replace(/^0/, ''))];
  });
}

const date = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?![./-]?\d)/;
const years = /^(?:19|20)\d{2}\D{1,3}(?:19|20)\d{2}$/;
const thousands = /^[1-9]\d{0,2}(?:[ .]\d{3})+$/;
const namedOtherwise =
  /(?:isbn|issn|doi|order|invoice|ticket|case|article|patent|version|serial|sku|item|bestell\w*|rechnung\w*|artikel\w*|[€$£#§])[-\s:.#]{0,3}(?:(?:numbers?|nummer|no|nr)[\s:.#]{0,3})?(?:1[03][: ]*)?$/i;

/** Dates, spans of years, sums, and numbers that are called something else. */
function isOtherNumber(number: string, text: string, at: number): boolean {
  const plain = number.trim();
  return (
    date.test(plain) ||
    years.test(plain) ||
    thousands.test(plain) ||
    /^97[89]/.test(plain) ||
    namedOtherwise.test(text.slice(Math.max(0, at - 30), at)) ||
    /^ ?(?:[€$£%]|usd|eur|dollars?|euros?|km|kg|mb|gb|ms)/i.test(text.slice(at + number.length))
  );
}
