import { pattern, tableByWord } from '@agonhq/engine/text';
/** An amount as a text states it, its scale word counted in. */
export interface Amount {
  value: number;
  text: string;
  start: number;
  end: number;
  unit: '%' | 'money' | null;
  /** Half of the last digit that is written. */
  precision: number;
  /** A year, a date or a number of a list: not an amount at all. */
  label: boolean;
}

const amountPattern = pattern('giu')`
  ([$€£¥]\s?)?(\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s?(%|per\s?cent|percent)
  |[\s-]?(thousand|million|billion|trillion|mn|bn|[kmb])\b)?`;
const scales: Record<string, number> = tableByWord([
  [1e3, 'thousand k'],
  [1e6, 'million mn m'],
  [1e9, 'billion bn b'],
  [1e12, 'trillion'],
]);
const monthBefore = /(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+$/iu;
const namedBefore = pattern('iu')`
  (?:item|note|section|level|asc|asu|class|series|form|exhibit|topic|step|phase|rule|part|no\.|number|act of|q|fy
  |page|table|figure|tier|day|covid|sars-cov)[\s-]*$`;

/** The amounts of a text; dates, years and numbers of notes are marked. */
export function readAmounts(text: string): Amount[] {
  return Array.from(text.matchAll(amountPattern)).flatMap((match) => {
    const [found, currency, digits, percent, scale] = match;
    const start = match.index;
    const before = text.slice(Math.max(0, start - 14), start);
    if (/[\p{L}]$/u.test(before) || /\d[.,:/]$/.test(before)) return [];
    const bare = Number.parseFloat(digits!.replace(/,/g, ''));
    if (Number.isNaN(bare)) return [];
    const factor = scale === undefined ? 1 : scales[scale.toLowerCase()]!;
    const decimals = /\.(\d+)/.exec(digits!)?.[1]?.length ?? 0;
    const end = start + found.length;
    const year =
      currency === undefined && percent === undefined && scale === undefined && /^(?:1[89]|20)\d\d$/.test(digits!);
    const label =
      year ||
      (currency === undefined &&
        percent === undefined &&
        scale === undefined &&
        (monthBefore.test(before) ||
          namedBefore.test(before) ||
          (/^[,\s]+\d{4}\b/.test(text.slice(end)) && monthBefore.test(before))));
    return [
      {
        value: bare * factor,
        text: found.trim(),
        start,
        end,
        unit: percent !== undefined ? '%' : currency !== undefined ? 'money' : null,
        precision: 0.5 * 10 ** -decimals * factor,
        label,
      },
    ];
  });
}

/** Whether amounts are the same but for rounding, and for the scale that a table leaves to its title. */
export function isSameAmount(stated: Amount, found: number): boolean {
  const size = Math.abs(found);
  return [1, 1e3, 1e6].some(
    (factor) =>
      Math.abs(stated.value - size * factor) <= stated.precision * 1.02 && (factor === 1 || stated.value >= 1000),
  );
}

export interface Derivation {
  /** `(4.6 − 4) / 4 = 15 %`. */
  arithmetic: string;
  from: readonly [Amount, Amount];
}

/** How an amount follows from two others: growth, share, difference or sum; null when it does not. */
export function deriveAmount(stated: Amount, a: Amount, b: Amount): Derivation | null {
  const [x, y] = [a.value, b.value];
  if (x === 0 || y === 0 || x === y) return null;
  if (stated.unit === '%') {
    const near = (percent: number): boolean =>
      Math.abs(Math.abs(percent) - stated.value) <= Math.max(stated.precision * 1.05, 0.005);
    if (near((y / x - 1) * 100))
      return { arithmetic: `(${b.text} − ${a.text}) / ${a.text} = ${((y / x - 1) * 100).toFixed(2)} %`, from: [a, b] };
    if (near((y / x) * 100))
      return { arithmetic: `${b.text} / ${a.text} = ${((y / x) * 100).toFixed(2)} %`, from: [a, b] };
    if (a.unit === '%' && b.unit === '%' && near(y - x))
      return { arithmetic: `${b.text} − ${a.text} = ${(y - x).toFixed(2)}`, from: [a, b] };
    return null;
  }
  if (stated.value < 10) return null;
  if (isSameAmount(stated, x - y)) return { arithmetic: `${a.text} − ${b.text}`, from: [a, b] };
  if (isSameAmount(stated, x + y)) return { arithmetic: `${a.text} + ${b.text}`, from: [a, b] };
  return null;
}
