import { pattern, patternPart, listWords, tableByWord } from '@agonhq/engine/text';
/** A period in one spelling: `FY2024`, `Q3 2024`, `H1 2024`, `3M to 2024-06-30`, `2024-06-30`, `2024-06`. */
export interface ScannedPeriod {
  start: number;
  end: number;
  period: string;
}

const months = listWords(`
  january february march april may june july august september october november december`);
const monthWord = patternPart`
  (?<month>january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun
  |jul|aug|sept?|oct|nov|dec)\.?`;
const yearWord = String.raw`(?<year>(?:19|20)\d\d)`;
const ordinals: Record<string, number> = tableByWord([
  [1, 'first 1st'],
  [2, 'second 2nd'],
  [3, 'third 3rd'],
  [4, 'fourth 4th final'],
]);
const counts: Record<string, number> = tableByWord([
  [3, 'three 3 thirteen 13'],
  [6, 'six 6 twenty-six 26'],
  [9, 'nine 9 thirty-nine 39'],
  [12, 'twelve 12 fifty-two 52 fifty-three 53'],
]);

type Reader = [RegExp, (groups: Record<string, string | undefined>) => string];
const completeYear = (year: string): string => (year.length === 2 ? `20${year}` : year);
const parseMonth = (word: string): number =>
  months.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3))) + 1;
const formatDay = (year: string, month: number, day: string | number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** A year by its end; one that ends early in a year is named after that year, or after the one before. */
const formatYearEnd = (year: string, month: number, day: string): string =>
  month <= 2 ? formatDay(year, month, day) : `FY${year}`;

const readers: readonly Reader[] = [
  [
    pattern('gi')`
      \b(?<count>three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|fifty-three|3|6|9|12|13|26|39|52
      |53)[ -](?:months?|weeks?)(?: period)?(?: ended| ending| to)?\s+${monthWord}\s+(?<day>\d{1,2}),?\s+${yearWord}`,
    ({ count, month, day, year }) =>
      counts[count!.toLowerCase()] === 12
        ? formatYearEnd(year!, parseMonth(month!), day!)
        : `${counts[count!.toLowerCase()]}M to ${formatDay(year!, parseMonth(month!), day!)}`,
  ],
  [
    pattern('gi')`
      \b(?:fiscal |financial )?years? (?:ended|ending)\s+${monthWord}\s+(?<day>\d{1,2}),?\s+${yearWord}`,
    ({ month, day, year }) => formatYearEnd(year!, parseMonth(month!), day!),
  ],
  [
    pattern('gi')`
      \b(?:the )?first (?<count>three|six|nine) months(?: of| in)?(?: the)?(?: (?:fiscal|financial|calendar))?
      (?: year)?\s+${yearWord}\b|\b(?<months>[369])M[\s'’-]*(?<short>(?:19|20)\d\d|\d\d)\b`,
    ({ count, year, months: shown, short }) =>
      `${counts[(count ?? shown)!.toLowerCase()]}M to ${year ?? completeYear(short!)}`,
  ],
  [
    pattern('gi')`
      \b(?:YTD|year[ -]to[ -]date)\b[\s,:(]*(?:(?:as of|at|to|through|ended)\s+)?(?:FY|fiscal |financial )?
      (?:${monthWord}\s+(?:\d{1,2},?\s+)?)?${yearWord}\b`,
    ({ year }) => `YTD ${year}`,
  ],
  [/\b(?:FY|fiscal )?(?<year>(?:19|20)\d\d)[\s,(]*(?:YTD|year[ -]to[ -]date)\b/gi, ({ year }) => `YTD ${year}`],
  [/\b(?:YTD|year[ -]to[ -]date)\b/gi, () => 'YTD'],
  [
    new RegExp(String.raw`\bquarter (?:ended|ending)\s+${monthWord}\s+(?<day>\d{1,2}),?\s+${yearWord}`, 'gi'),
    ({ month, day, year }) => `3M to ${formatDay(year!, parseMonth(month!), day!)}`,
  ],
  [
    new RegExp(String.raw`\b${monthWord}\s+(?<day>\d{1,2}),?\s+${yearWord}\b`, 'gi'),
    ({ month, day, year }) => formatDay(year!, parseMonth(month!), day!),
  ],
  [
    new RegExp(String.raw`\b(?<day>\d{1,2})\s+${monthWord}\s+${yearWord}\b`, 'gi'),
    ({ month, day, year }) => formatDay(year!, parseMonth(month!), day!),
  ],
  [
    /\b(?<year>(?:19|20)\d\d)-(?<month>0[1-9]|1[0-2])-(?<day>[0-3]\d)\b/g,
    ({ year, month, day }) => `${year}-${month}-${day}`,
  ],
  [
    /\b(?<part>[QH][1-4])[\s/'’-]*(?:(?:FY|CY)[\s'’]*)?(?<year>(?:19|20)\d\d|\d\d)\b(?![.,]?\d|\s?%)/gi,
    ({ part, year }) => `${part!.toUpperCase()} ${completeYear(year!)}`,
  ],
  [
    /\b(?<quarter>[1-4])Q[\s/'’-]*(?:FY[\s'’]*)?(?<year>(?:19|20)\d\d|\d\d)\b/gi,
    ({ quarter, year }) => `Q${quarter} ${completeYear(year!)}`,
  ],
  [
    /\b(?:FY|CY)?(?<year>(?:19|20)\d\d)[\s/-]*(?<part>[QH][1-4])\b/gi,
    ({ part, year }) => `${part!.toUpperCase()} ${year}`,
  ],
  [
    pattern('gi')`
      \b(?<ordinal>first|second|third|fourth|final|1st|2nd|3rd|4th)[ -](?<span>quarter|half)(?:\s+(?:of|in|for))?
      (?:\s+(?:the\s+)?(?:fiscal|financial|calendar))?(?:\s+year)?\s+(?<year>(?:19|20)\d\d)\b`,
    ({ ordinal, span, year }) =>
      `${span!.toLowerCase() === 'half' ? 'H' : 'Q'}${ordinals[ordinal!.toLowerCase()]} ${year}`,
  ],
  [
    /\b(?:fiscal|financial|calendar|full)(?:[ -]year)?\s+(?<year>(?:19|20)\d\d)(?:\s?[/–-]\s?\d\d\b)?/gi,
    ({ year }) => `FY${year}`,
  ],
  [/\bFY\s?['’]?(?<year>(?:19|20)\d\d|\d\d)(?:\s?[/-]\s?\d\d)?\b/gi, ({ year }) => `FY${completeYear(year!)}`],
  [
    new RegExp(String.raw`\b${monthWord}[\s,'’-]+${yearWord}\b`, 'gi'),
    ({ month, year }) => `${year}-${String(parseMonth(month!)).padStart(2, '0')}`,
  ],
  [/\b(?<part>[QH][1-4])\b(?!\s?%)/g, ({ part }) => part!.toUpperCase()],
  [
    /\b(?<ordinal>first|second|third|fourth|final|1st|2nd|3rd|4th)[ -](?<span>quarter|half)\b/gi,
    ({ ordinal, span }) => `${span!.toLowerCase() === 'half' ? 'H' : 'Q'}${ordinals[ordinal!.toLowerCase()]}`,
  ],
  // "May" and "March" are words, too: only a month in a date's place is one.
  [
    pattern('g')`
      (?=[JFMASOND])(?<=^\s*|\b(?:[Ii]n|[Bb]y|[Ff]rom|[Tt]o|[Ss]ince|[Uu]ntil|[Dd]uring|[Oo]f|[Ff]or|[Aa]nd|than|[Bb]etween|after)\s)
      (?<month>January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr
      |Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b(?!\s+\p{Lu}|\.?\s*\d)`,
    ({ month }) => `M${String(parseMonth(month!)).padStart(2, '0')}`,
  ],
  [
    pattern('g')`
      (?<![\d.,$€£¥#/-])(?<year>(?:19|20)\d\d)[AEBF]?\b(?![.,]\d
      |\s?(?:%|million|billion|thousand|employees|units|customers|people|stores))`,
    ({ year }) => `FY${year}`,
  ],
];

/** What is in every spelling of a period: most sentences have none, and need not be read by each reader. */
const anyPeriod = pattern()`
  (?:19|20)\d\d|FY|YTD|[Yy]ear[ -]to[ -]date|[369]M|[QqHh][1-4]|[1-4]Q|quarter|half|Quarter|Half|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`;

/** The periods that a text names, in order. */
export function scanPeriods(text: string): ScannedPeriod[] {
  const found: ScannedPeriod[] = [];
  if (!anyPeriod.test(text)) return found;
  for (const [expression, read] of readers) {
    for (const match of text.matchAll(expression)) {
      const start = match.index;
      const end = start + match[0].length;
      if (!found.some((other) => start < other.end && end > other.start))
        found.push({ start, end, period: read(match.groups!) });
    }
  }
  const ordered = found.toSorted((left, right) => left.start - right.start);
  for (const [at, one] of ordered.entries()) {
    const before = ordered[at - 1];
    if (before !== undefined && isSameSpan(text, before, one))
      one.period = before.period.replace(/(?:19|20)\d\d/, one.period.slice(2));
  }
  return ordered;
}

const spanGoesOn = /^\s*(?:,|and|or|,\s*and|(?:as )?compared (?:to|with)|versus|vs\.?|from|to|than(?: in)?)\s*$/i;

/** "The nine months ended September 30, 2024 and 2023": the bare year is of nine months, too. */
function isSameSpan(text: string, before: ScannedPeriod, { start, end, period }: ScannedPeriod): boolean {
  return (
    /^(?:[QH]\d \d{4}$|\dM to |YTD )/.test(before.period) &&
    /^FY\d{4}$/.test(period) &&
    end - start === 4 &&
    spanGoesOn.test(text.slice(before.end, start))
  );
}

/** The one period of a header; parts in different cells are joined ("Q3" above "2024"). */
export function readPeriod(text: string): string | null {
  const found = scanPeriods(text);
  if (found.length === 0) return null;
  const yearless = found.find(({ period }) => isYearless(period));
  const year = found.find(({ period }) => /^FY\d{4}$/.test(period));
  if (yearless !== undefined && year !== undefined) return `${yearless.period} ${year.period.slice(2)}`;
  // "Q1 2024 Q2 2024" heads several columns, and none of them alone.
  if (new Set(found.map(({ period }) => period)).size > 1 && found.every(({ period }) => /^[QH]\d \d{4}$/.test(period)))
    return null;
  const last = found.at(-1)!.period;
  const span = /\b(three|six|nine|thirteen|twenty-six|thirty-nine|3|6|9|13|26|39)[ -](?:months?|weeks?)/i.exec(
    text,
  )?.[1];
  if (span !== undefined && /^\d{4}-\d\d(?:-\d\d)?$/.test(last)) return `${counts[span.toLowerCase()]}M to ${last}`;
  if (span !== undefined && /^FY\d{4}$/.test(last)) return `${counts[span.toLowerCase()]}M to ${last.slice(2)}`;
  return last;
}

/** The same period a year before; null when the period has no year. */
export function findYearBefore(period: string): string | null {
  const year = readYear(period);
  return year === null ? null : period.replace(String(year), String(year - 1));
}

/** The year before a year; null for a quarter, which may be held against the last one or that of the year before. */
export function findImpliedBase(period: string): string | null {
  return /^(?:[QH]\d|\dM to|YTD|\d{4}-\d\d$)/.test(period) ? null : findYearBefore(period);
}

/** The same period a year later. */
export function findYearAfter(period: string): string | null {
  const year = readYear(period);
  return year === null ? null : period.replace(String(year), String(year + 1));
}

/** The quarter, half, month or year right before. */
export function findPeriodBefore(period: string): string | null {
  const month = /^(?:M|(\d{4})-)(\d\d)$/.exec(period);
  if (month !== null) return findMonthBefore(month[1], Number(month[2]));
  const part = /^([QH])(\d) (\d{4})$/.exec(period);
  if (part === null) return findYearBefore(period);
  const [, kind, number, year] = part;
  return Number(number) > 1
    ? `${kind}${Number(number) - 1} ${year}`
    : `${kind}${kind === 'Q' ? 4 : 2} ${Number(year) - 1}`;
}

function findMonthBefore(year: string | undefined, month: number): string | null {
  const before = String(month === 1 ? 12 : month - 1).padStart(2, '0');
  if (year === undefined) return month === 1 ? null : `M${before}`;
  return `${month === 1 ? Number(year) - 1 : year}-${before}`;
}

export function readYear(period: string): number | null {
  const year = /(?:19|20)\d\d/.exec(period)?.[0];
  return year === undefined ? null : Number(year);
}

/** Whether two spellings may mean one period: a year also by its end, a quarter without a year by any year. */
export function isSamePeriod(left: string, right: string): boolean {
  if (left === right) return true;
  const [year, date] = /^FY\d{4}$/.test(left) ? [left, right] : [right, left];
  // What ends in January or February may be called after either year.
  if (/^FY\d{4}$/.test(year) && /^\d{4}-\d\d-\d\d$/.test(date))
    return year.slice(2) === date.slice(0, 4) && !/^\d{4}-0[12]/.test(date);
  const [part, whole] = isYearless(left) || /^M\d\d$/.test(left) ? [left, right] : [right, left];
  if (part.startsWith('M')) return /^M\d\d$/.test(part) && /^\d{4}-\d\d$/.test(whole) && whole.endsWith(part.slice(1));
  if (/^\dM to /.test(left) && /^\dM to /.test(right)) return left.startsWith(right) || right.startsWith(left);
  return isYearless(part) && whole.startsWith(`${part} `);
}

/** A part of a year that does not say which. */
export function isYearless(period: string): boolean {
  return /^(?:[QH]\d|YTD)$/.test(period);
}

/** Sorts periods of one kind by time; null where they are not of one kind. */
export function orderPeriod(period: string): number | null {
  const part = /^([QH])(\d)(?: (\d{4}))?$/.exec(period);
  if (part !== null) return Number(part[3] ?? 0) * 12 + Number(part[2]) * (part[1] === 'Q' ? 3 : 6);
  const month = /^M(\d\d)$/.exec(period);
  if (month !== null) return Number(month[1]);
  const day = /(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(period);
  if (day !== null) return Number(day[1]) * 12 + Number(day[2]) + Number(day[3] ?? 0) / 32;
  const year = readYear(period);
  return year === null ? null : year * 12 + 12;
}
