import { toOneLine, pattern } from '@agonhq/engine/text';

/* How a spreadsheet shows a number: ECMA-376, 18.8.31. */

/** Formats that every workbook has without naming them. */
const builtIn = new Map<number, string>();
for (const [first, formats] of [
  [1, '0|0.00|#,##0|#,##0.00'],
  [9, '0%|0.00%|0.00E+00|# ?/?|# ??/??|yyyy-mm-dd|d-mmm-yy|d-mmm|mmm-yy|h:mm|h:mm:ss|h:mm|h:mm:ss|yyyy-mm-dd h:mm'],
  [37, '#,##0;(#,##0)|#,##0;(#,##0)|#,##0.00;(#,##0.00)|#,##0.00;(#,##0.00)|#,##0;(#,##0);-|$#,##0;($#,##0);-'],
  [43, '#,##0.00;(#,##0.00);-|$#,##0.00;($#,##0.00);-|mm:ss|[h]:mm:ss|mm:ss|0.0E+0|@'],
] as const)
  for (const [at, format] of formats.split('|').entries()) builtIn.set(first + at, format);

export function findBuiltInFormat(id: number): string {
  return builtIn.get(id) ?? 'General';
}

/** A number as its cell shows it: `0.153` in the format `0.0%` is `15.3%`. */
export function formatNumber(value: number, format: string): string {
  const sections = splitSections(format);
  const isNegativeSection = value < 0 && sections.length > 1;
  const section = isNegativeSection ? sections[1]! : value === 0 && sections.length > 2 ? sections[2]! : sections[0]!;
  const pieces = splitPieces(section);
  if (/[#0?]\s*\/\s*[#0?\d]/u.test(section)) return formatGeneral(value);
  const digits = pieces.find((piece) => piece.kind === 'digits')?.text;
  if (digits === undefined) {
    const words = pieces
      .map((piece) => piece.text)
      .join('')
      .trim();
    return words === '' || /general|@/iu.test(section) ? formatGeneral(value) : words;
  }
  const percent = pieces.reduce(
    (count, piece) => count + (piece.kind === 'literal' ? piece.text.split('%').length - 1 : 0),
    0,
  );
  const scaled = (isNegativeSection ? -value : value) * 100 ** percent;
  let written = false;
  const shown = pieces.map((piece) => {
    if (piece.kind === 'literal') return piece.text;
    if (written) return '';
    written = true;
    return formatDigits(Math.abs(scaled), digits);
  });
  const text = toOneLine(shown.join(''));
  return scaled < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** Whether a format shows a day or a time. */
export function isDateFormat(format: string): boolean {
  return !/general/iu.test(format) && /[ymdhs]/iu.test(stripLiterals(format).replace(/E[+-]/giu, ''));
}

const dayMs = 86_400_000;

/** The moment that a spreadsheet counts in days: from 1900, with its 29 February 1900, or from 1904. */
export function readSerialDate(serial: number, from1904: boolean): Date {
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  return new Date(Math.round((days - 25_569) * dayMs));
}

/** A date as its format means it, in an order that everybody reads the same way. */
export function formatDate(date: Date, format: string): string {
  const code = stripLiterals(format).toLowerCase();
  const iso = date.toISOString();
  const hasTime = /h|s/u.test(code);
  const hasMonth = /m/u.test(hasTime ? code.replace(/(?<!h)h+\]?[:.]?m+|(?<!m)m+[:.]s+/gu, '') : code);
  const hasYear = code.includes('y');
  const hasDay = code.includes('d');
  const seconds = code.includes('s') ? iso.slice(11, 19) : iso.slice(11, 16);
  if (hasTime && !hasYear && !hasDay && !hasMonth) return seconds;
  const day = formatDay(date, iso, { hasYear, hasMonth, hasDay });
  return hasTime ? `${day} ${seconds}` : day;
}

function formatDay(date: Date, iso: string, has: { hasYear: boolean; hasMonth: boolean; hasDay: boolean }): string {
  if (has.hasYear && !has.hasMonth) return iso.slice(0, 4);
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  if (!has.hasDay) return has.hasYear ? `${month} ${iso.slice(0, 4)}` : month;
  return has.hasYear ? iso.slice(0, 10) : `${date.getUTCDate()} ${month}`;
}

function formatGeneral(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(11)));
}

function formatDigits(value: number, digits: string): string {
  if (value === 0 && /^[#?,]+$/u.test(digits)) return '';
  if (/E/iu.test(digits)) return value.toExponential(countDecimals(digits.replace(/E.*/iu, ''))).replace('e', 'E');
  // A comma after the last digit divides by a thousand; one between digits groups them.
  const scale = /(?<!,),+$/u.exec(digits.replace(/\..*/u, (tail) => tail.replace(/[^,]/gu, '')))?.[0].length ?? 0;
  const groups = /[#0?],+[#0?]/u.test(digits);
  const decimals = countDecimals(digits);
  const optional = /\.[0?]*(#+)/u.exec(digits)?.[1]?.length ?? 0;
  const least = /^[#?,]*(0*)/u.exec(digits)?.[1]?.length ?? 1;
  return (value / 1000 ** scale).toLocaleString('en', {
    useGrouping: groups,
    minimumFractionDigits: decimals - optional,
    maximumFractionDigits: decimals,
    minimumIntegerDigits: Math.min(21, Math.max(1, least)),
    roundingMode: 'halfExpand',
  });
}

function countDecimals(digits: string): number {
  return Math.min(20, /\.([0#?]*)/u.exec(digits)?.[1]?.length ?? 0);
}

/** No format is longer in a spreadsheet. */
const longest = 255;

/** At semicolons that stand outside of quotes. */
function splitSections(format: string): string[] {
  const within = format.slice(0, longest);
  return within.match(/(?:"[^"]*"|\\.|[^;"\\])+|(?<=;)(?=;|$)/gu) ?? [within];
}

interface Piece {
  kind: 'digits' | 'literal';
  text: string;
}

// Bounded: of the longest format.
const formatPieces = pattern('giu')`
  "(?<quoted>[^"]*)"|\\(?<escaped>.)|\[\$(?<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.
  |(?<digits>[#0?][#0?,.]*(?:E[+-][#0?]+)?|\.[#0?]+)|(?<general>General)|(?<other>.)`;

/** Digits and what stands around them; colours, conditions, widths and fill characters are left out. */
function splitPieces(section: string): Piece[] {
  const tokens = section.matchAll(formatPieces);
  return [...tokens].flatMap(({ groups }): Piece[] => {
    if (groups!.digits !== undefined) return [{ kind: 'digits', text: groups!.digits }];
    if (groups!.general !== undefined) return [];
    const text = groups!.quoted ?? groups!.escaped ?? groups!.currency ?? groups!.other ?? '';
    return text === '' || text === '@' ? [] : [{ kind: 'literal', text }];
  });
}

function stripLiterals(format: string): string {
  // Bounded: of the longest format.
  return splitSections(format)[0]!.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*./giu, '');
}
