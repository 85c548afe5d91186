import { scanNumbers, type DecimalMark, type ScannedNumber } from '../values/scan-numbers.ts';
import type { ScannedPeriod } from '../values/scan-periods.ts';
import { pattern } from '@agonhq/engine/text';

/** The numbers of a sentence that state something. */
export function scanMeantNumbers(
  sentence: string,
  mark: DecimalMark,
  periods: readonly ScannedPeriod[],
): ScannedNumber[] {
  return scanNumbers(sentence, mark).filter((number) => isMeant(sentence, number, periods));
}

const numbersPart = pattern('i')`
  (?:\b(?:note|item|section|page|table|figure|chapter|part|exhibit|article|rule|no\.?|number|appendix|asc|asu|ifrs
  |ias|level|tier|phase|form|step|topic)\s*|[#§])$`;

/** A number that states something: no year, no date, no "Note 5". */
function isMeant(sentence: string, number: ScannedNumber, periods: readonly ScannedPeriod[]): boolean {
  if (periods.some((period) => number.start < period.end && number.end > period.start)) return false;
  if (number.year) return false;
  // "(5) Fiscal 2013 had 48 weeks": a note's mark.
  const isFirst = /^\s*$/.test(sentence.slice(0, number.start));
  if (isFirst && /^\(\d{1,2}\)$/.test(number.text)) return false;
  // "7. ACCRUED EXPENSES", "7) Leases": the number of a heading or of an item.
  if (isFirst && /^\d{1,2}$/.test(number.text) && /^[.)]\s+\p{Lu}/u.test(sentence.slice(number.end))) return false;
  if (numbersPart.test(sentence.slice(Math.max(0, number.start - 12), number.start))) return false;
  return (
    number.unit === '%' ||
    number.unit === 'pp' ||
    !/^(?:\s?(?:-|to-)?(?:year|month|day|week|hour|minute)s?\b|st\b|nd\b|rd\b|th\b|-k\b|-q\b|x\b|\s?times\b)/i.test(
      sentence.slice(number.end),
    )
  );
}

const ahead = pattern('i')`
  \b(?:(?:\d+|a|two|three|four|five|six|seven|eight|nine|ten|several|some|many) (?:years|decades?) (?:ago|earlier
  |before)|consensus|analysts?|looked for|hoped|pencilled in|expect(?:s|ed|ation)?|will|would|could|may|might|should
  |forecasts?|(?<!\b(?:met|reached|beat|hit|exceeded) (?:its|our|the|their) )targets?|targeted|plans? to
  |(?<!\bas )planned|guidance|outlook|anticipat(?:e|es|ed)|project(?:s|ed)|estimat(?:e|es|ed)|if|assum(?:e|es|ing)
  |hypothetical|pro forma|constant[ -]currency|organic(?:ally)?|excluding|adjusted|non-gaap|underlying|like-for-like
  |comparable|potential|(?<!\b(?:crept|went|moved|edged|picked|inched|ticked|was|were|is) )up to|intend)\b`;

/** Of what may come, or would be without something. */
export function isForecast(clause: string): boolean {
  return ahead.test(clause);
}

const loosely = pattern('i')`
  \b(?:about|approximately|around|nearly|almost|roughly|some|over|more than|at least|just under|just over|close to
  |in excess of|less than|under|up to|~)\s*$`;

/** "About", "more than": the number behind these words is not meant to the digit. */
export function isLoose(before: string): boolean {
  return loosely.test(before);
}
