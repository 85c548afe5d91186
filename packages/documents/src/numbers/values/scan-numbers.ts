import { pattern, patternPart, listWords, wordSet, tableByWord } from '@agonhq/engine/text';
/** A number as a piece of text shows it. */
export interface ScannedNumber {
  /** Within the text that was scanned: with its sign, currency, scale word and unit. */
  start: number;
  end: number;
  text: string;
  /** Without the scale: 4.6 of `$4.6 million`; a percentage is a fraction. */
  value: number;
  /** Half of its last digit's place, before scaling. */
  precision: number;
  /** What a word or letter beside it multiplies it by; null when none does. */
  scale: number | null;
  unit: string | null;
  /** Four bare digits that may be a year. */
  year: boolean;
  /** A dash that stands for nothing. */
  dash?: true;
}

// By its code, and by its other names.
const currencies: Record<string, string> = Object.fromEntries(
  listWords(`
  USD/$/us$/dollar/dollars EUR/€/euro/euros GBP/£/pound/pounds JPY/¥/yen CNY/rmb/yuan INR/₹/rupees/rs CHF/francs
  CAD/c$ AUD/a$ SEK NOK DKK KRW/₩ SGD/s$ HKD/hk$ BRL/r$ ZAR MXN`).flatMap((names) => {
    const [code, ...others] = names.split('/') as [string, ...string[]];
    return [code.toLowerCase(), ...others].map((name) => [name, code]);
  }),
);
const scales: Record<string, number> = tableByWord([
  [1e2, 'hundred'],
  [1e3, 'thousand thousands k'],
  [1e6, 'million millions m mn mm mio mln'],
  [1e9, 'billion billions b bn mrd'],
  [1e12, 'trillion trillions tn'],
  [1e5, 'lakh'],
  [1e7, 'crore'],
]);
/** Nouns that are counted, and so say what a number's unit is. */
const counted = wordSet(`
  employees people staff workers customers clients users subscribers members units stores shops sites locations shares
  orders patients students vehicles tonnes tons megawatts days hours months years weeks transactions contracts
  accounts households countries offices products licences licenses beds rooms flights passengers visitors applications
  positions projects`);

const symbols = patternPart`
  (?:US\$|HK\$|C\$|A\$|S\$|R\$|[$€£¥₹₩]|\b(?:USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|CAD|AUD|SEK|NOK|DKK|KRW|SGD|HKD|BRL|ZAR
  |MXN|Rs\.?))`;
const digits = patternPart`
  \d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?|\d{1,3}(?:['’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:\.\d+)?|\.\d+`;
const europeanDigits = patternPart`
  \d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:,\d+)?(?!\d)|\d+(?:,\d+)?`;

function buildPattern(number: string): RegExp {
  return pattern('gu')`
    (?<![\p{L}\d.,_/#:%]|\p{L}-)(?<open>\(\s?)?(?<sign>[-−–+]\s?)?(?<before>${symbols})?\s?(?<open2>\(\s?)?
    (?<sign2>[-−–])?(?<digits>${number})(?<close>\s?\))?(?:\s?(?<percent>%|‰|percentage[ -]points?|percent\b
    |per cent\b|pct\b|p\.p\.|pp\b|ppts?\b|pts\b|basis points?|bps?\b)
    |[\s-]?(?<scale>hundred|thousands?|millions?|billions?|trillions?|lakh|crore|mio|mln|mrd|bn|mn|mm|tn)\b
    |(?<letter>[kKmMbB])(?![\p{L}\d]))?(?:\s?(?<after>[€£¥₹]
    |(?:USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|SEK|NOK|DKK|US dollars|dollars|euros?|pounds|yen|rupees|francs)\b))?
    (?<close2>\s?\))?(?<percentAfter>\s?%)?`;
}
const usual = buildPattern(digits);
const european = buildPattern(europeanDigits);

export type DecimalMark = '.' | ',';

/** Which mark separates decimals in a text: `1.234,5` gives it away. */
export function detectDecimalMark(text: string): DecimalMark {
  const comma =
    text.match(/\d\.\d{3},\d{1,2}(?!\d)|(?<![\d.,])\d{1,3},\d(?!\d)|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?!\d)/g)
      ?.length ?? 0;
  const point = text.match(/\d,\d{3}(?!\d)|(?<![\d.,])\d{1,3}\.\d{1,2}(?!\d)/g)?.length ?? 0;
  // Nothing but groups of three behind a point, and no decimals of another kind: thousands.
  const grouped = text.match(/(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])/g)?.length ?? 0;
  return comma > 3 * point || (point === 0 && grouped > 2 && !/(?<![\d.,])0\.\d/.test(text)) ? ',' : '.';
}

/** Every number in a text, in order. */
export function scanNumbers(text: string, mark: DecimalMark = '.'): ScannedNumber[] {
  const found: ScannedNumber[] = [];
  if (!/\d/.test(text)) return found;
  for (const match of text.matchAll(mark === '.' ? usual : european)) {
    const { groups } = match;
    const shown = groups!['digits']!;
    const plain =
      mark === '.'
        ? shown.replace(/[,'’\s\u00a0\u202f]/g, (separator, at: number) =>
            separator === ',' && /^,\d{1,2}$/.test(shown.slice(at)) ? '.' : '',
          )
        : shown.replace(/[.\s\u00a0\u202f]/g, '').replace(',', '.');
    const magnitude = Number(plain);
    if (!Number.isFinite(magnitude)) continue;
    let start = match.index + match[0].length - match[0].trimStart().length;
    let end = match.index + match[0].trimEnd().length;
    const opened = (groups!['open'] ?? groups!['open2']) !== undefined;
    const closed = (groups!['close'] ?? groups!['close2']) !== undefined;
    const bracketed = opened && closed;
    // "(up 5 %)" and "revenue (1,234 units)" are brackets of the prose, not a sign.
    const negative =
      (bracketed && !groups!['scale'] && !groups!['letter']) ||
      /[-−–]/.test((groups!['sign'] ?? '') + (groups!['sign2'] ?? ''));
    if (groups!['open'] !== undefined && !closed)
      start = text.indexOf(text.slice(start + 1).trimStart()[0]!, start + 1);
    if (!opened && closed) end = match.index + match[0].lastIndexOf(')');
    if (!bracketed) end = start + text.slice(start, end).replace(/(?<![\s)])[\s)]+$/, '').length;
    const percent = groups!['percent'] ?? groups!['percentAfter']?.trim();
    const scaleWord = groups!['scale'] ?? groups!['letter'];
    const currency = (groups!['before'] ?? groups!['after'])
      ?.toLowerCase()
      .replace('.', '')
      .replace('us dollars', 'dollars');
    const decimals = plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0;
    const part = percent === undefined ? 1 : /^(?:bps?|basis)/.test(percent) ? 1e-4 : percent === '‰' ? 1e-3 : 0.01;
    const unit =
      percent === undefined
        ? currency
          ? (currencies[currency] ?? null)
          : (/^\s+(?:\p{L}+\s){0,2}?(\p{L}+)/u.exec(text.slice(end))?.[1] ?? null)
        : /^(?:%|percent|per cent|pct|‰)$/.test(percent)
          ? '%'
          : 'pp';
    const noun =
      unit !== null && percent === undefined && !currency
        ? counted.has(unit.toLowerCase())
          ? unit.toLowerCase()
          : null
        : unit;
    found.push({
      start,
      end,
      text: text.slice(start, end),
      value: (negative ? -magnitude : magnitude) * part,
      precision: 0.5 * 10 ** -decimals * part,
      scale: scaleWord === undefined ? null : (scales[scaleWord.toLowerCase()] ?? null),
      unit: noun,
      year:
        /^(?:19|20)\d\d$/.test(shown) &&
        percent === undefined &&
        scaleWord === undefined &&
        currency === undefined &&
        !opened,
    });
  }
  return found;
}

const nothing = /^[-−–—]+$|^nil$/i;
const footnote = /\s?(?:(?<!\*)\*+|(?<![†‡§¹²³⁴⁵⁶⁷⁸⁹])[†‡§¹²³⁴⁵⁶⁷⁸⁹]+|\((?:[a-z]|\d)\)|\[\d+\])\s*$/i;

/** The number that a cell is, as a whole; null when it is words, or words with a number in them. */
export function readCellNumber(text: string, mark: DecimalMark = '.'): ScannedNumber | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const bare = trimmed.replace(/^[$€£¥₹]\s*/, '').replace(/(?<!\s)\s*%$/, '');
  if (nothing.test(bare))
    return {
      start: 0,
      end: text.length,
      text: trimmed,
      value: 0,
      precision: 0.5,
      scale: null,
      unit: trimmed.endsWith('%') ? '%' : null,
      year: false,
      dash: true,
    };
  for (const candidate of [trimmed, trimmed.replace(footnote, '')]) {
    const tidy = candidate
      .replace(/^[~≈+▲△▼▽↑↓]\s?/u, (sign) => (/[▼▽↓]/u.test(sign) ? '-' : ''))
      .replace(/(?<!\s)\s+(?=[%)])/g, '')
      .replace(/\(\s+/g, '(')
      .replace(/^\((.*)$/, (whole, inside: string) => (inside.includes(')') ? whole : `(${inside})`));
    const [number, ...more] = scanNumbers(tidy, mark);
    if (number !== undefined && more.length === 0 && number.start === 0 && /^[\s.)x×]*$/.test(tidy.slice(number.end)))
      return { ...number, text: trimmed };
  }
  return null;
}

const amounts = pattern('giu')`
  (?<![\d.,'’])(?:${symbols}\s?|(?!(?:19|20)\d\d\b))\d(?:[\d.,]*\d)?[\s-]?(?:thousands?|millions?|billions?
  |trillions?|lakh|crores?|bn|mn|m|k)\b`;

const currencyName = pattern()`
  us\$|hk\$|c\$|a\$|s\$|r\$|[$€£¥₹₩]|\b(?:usd|eur|gbp|jpy|cny|rmb|inr|chf|cad|aud|sek|nok|dkk|krw|sgd|hkd|brl|zar
  |mxn|dollars?|euros?|pounds?|yen|rupees|francs)\b`;

const inThousands = pattern()`
  \bthousands?\b|['’]000s?\b|\b000s\b|[$€£]\s?000\b|[$€£]k\b|\bk[$€£]|\bt[$€£]|\b(?:usd|eur|gbp|chf)\s?k\b|\(k\)
  |\(000s?\)`;

const inMillions = pattern()`
  \bmillions?\b|[$€£]\s?m\b|\bm[$€£]|[$€£]mn?\b|\b(?:usd|eur|gbp|chf|inr|jpy|cad|aud|sek)\s?m(?:n|io)?\b|\bmio\b
  |\bmn\b|\(m\)|[$€£]\s?mm\b`;

/** The unit and the scale that a caption or header states: `($ in millions)`, `EUR '000`, `Growth (%)`. */
export function readStatedScale(text: string): { scale: number | null; unit: string | null } {
  // "$5 million" is an amount, and says nothing of what the others are counted in.
  const lower = text.toLowerCase().replace(amounts, ' ');
  const scale = /\bbillions?\b|\bbn\b|[$€£]\s?b\b/.test(lower)
    ? 1e9
    : inMillions.test(lower)
      ? 1e6
      : inThousands.test(lower)
        ? 1e3
        : /\bcrores?\b/.test(lower)
          ? 1e7
          : /\blakhs?\b/.test(lower)
            ? 1e5
            : null;
  const symbol = currencyName.exec(lower)?.[0];
  const unit =
    symbol !== undefined
      ? (currencies[symbol] ?? null)
      : /percentage points|\bpp\b|\bpts\b/.test(lower)
        ? 'pp'
        : /\bbps\b|basis points/.test(lower)
          ? 'bps'
          : /%|\bpercent|\bper cent/.test(lower)
            ? '%'
            : null;
  return { scale, unit };
}
