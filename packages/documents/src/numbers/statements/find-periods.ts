import {
  findImpliedBase,
  findPeriodBefore,
  scanPeriods,
  findYearAfter,
  findYearBefore,
  type ScannedPeriod,
} from '../values/scan-periods.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { pattern } from '@agonhq/engine/text';

const leadsToPeriod = pattern('iu')`
  ^\s*(?:of [\p{L} ]{3,40}?\s*)?(?:,\s*)?\(?(?:(?:in|for|during|at|as of|as at|by|on|recorded in|reported in
  |achieved in|a year earlier in)\s+)?(?:the\s+)?(?:same (?:quarter|period) of\s+|(?:end|close) of\s+
  |(?:fiscal )?year\s+)?$`;

/** The period right behind or before a number: "$4.0 million in 2023", "(2023: $4.0 million)". */
export function findPeriod(
  sentence: string,
  number: ScannedNumber,
  periods: readonly ScannedPeriod[],
  numbers: readonly ScannedNumber[],
): string | null {
  const next = numbers.find((other) => other.start > number.end);
  const behind = periods.find(
    (period) => period.start >= number.end && (next === undefined || period.start < next.start),
  );
  if (
    behind !== undefined &&
    !/^\s*[:=]/.test(sentence.slice(behind.end)) &&
    leadsToPeriod.test(sentence.slice(number.end, behind.start))
  )
    return behind.period;
  const front = periods.findLast((period) => period.end <= number.start);
  return front !== undefined && /^\s*[:=–-]\s*$/.test(sentence.slice(front.end, number.start)) ? front.period : null;
}

// Bounded: of 140 letters.
const comparedAmount = pattern('iu')`
  \b(?:from|after|versus|compared (?:with|to)|against|(?<!\bof (?:more|less|fewer) )than)\s+
  (?:an? |the |just |only |about |nearly )?[\p{L}$€£¥]{0,4}\s?\(?[\d.,]+\)?\s?(?:%|percent|[a-z]+)?
  (?:\s+of\s+[a-z ]{3,30})?\s+(?:in|for|at|as of|during)\s+(?:the\s+)?(?:year\s+)?$`;

const comparedWith = pattern('i')`
  \b(?:than(?: in| for| at)?|(?:%|percent|points?|up|down|increase|decrease|growth|rise|decline)\s+(?:on|over|from)
  |compared (?:with|to)|versus|vs\.?|against|relative to|from)\s+(?:those of |that of )?(?:the\s+)?
  (?:same (?:quarter|period) (?:of|in)\s+)?(?:year\s+)?$|%\s+(?:on|over|from)\s+(?:the\s+)?$`;

/** "A 5 % increase in output in 2024 over 2023", "rose in three regions in 2024 over 2023". */
const changedOver = pattern('i')`
  \b(?:increas\w+|decreas\w+|rise|rose|fell|fall|grew|growth|gain\w*|declin\w+|drop\w*|reduc\w+|improv\w+)\b
  [^,;.]{0,60}\bover\s+(?:the\s+)?$`;

/** A period that something is held against: "than in 2023", "up 5 % on 2023", "from $4.0 million in 2023". */
export function isBasePeriod(sentence: string, { start, end }: ScannedPeriod): boolean {
  if (/\(\s*$/.test(sentence.slice(0, start)) && /^\s*:/.test(sentence.slice(end))) return true;
  if (/\bbetween\s+(?:the\s+)?$/i.test(sentence.slice(0, start)) && /^\s+and\b/i.test(sentence.slice(end))) return true;
  const before = sentence.slice(Math.max(0, start - 140), start);
  const since = /\b(?:compared (?:with|to)|versus|vs\.?)\s[^;]*$/i.exec(before)?.[0];
  if (since !== undefined && scanPeriods(since).length === 0) return true;
  if (comparedWith.test(before) || changedOver.test(before)) return true;
  return comparedAmount.test(before);
}

/** What is held against a year is of the year after it. */
export function findPeriodAfter(bases: readonly ScannedPeriod[]): string | null {
  return bases.length === 1 && /^(?:FY\d{4}|[QH]\d \d{4})$/.test(bases[0]!.period)
    ? findYearAfter(bases[0]!.period)
    : null;
}

const yearOnYear = pattern('i')`
  \byear[ -](?:on|over)[ -](?:the[ -])?year\b|\by[/-]?o[/-]?y\b|\b(?:previous|prior|preceding|last)[ -]year\b
  |\ba year (?:earlier|ago|before)\b|\bsame (?:quarter|period|half|month)\b|\bannual`;

const sequential = pattern('i')`
  \b(?:previous|prior|preceding|last) (?:quarter|half|month)\b|\bsequential|quarter[ -]on[ -]quarter
  |quarter[ -]over[ -]quarter|\bqoq\b`;

/** What a change is measured against, if the words of its clause say so. */
export function findComparedPeriod(clause: string, now: string | null): string | null {
  if (sequential.test(clause)) return now === null ? 'previous' : findPeriodBefore(now);
  if (now === null) return null;
  return yearOnYear.test(clause) ? findYearBefore(now) : findImpliedBase(now);
}
