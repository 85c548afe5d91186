import type { Block, ReportDocument } from '../../document.ts';
import { scanPeriods } from '../values/scan-periods.ts';

/** What a sheet or a file of nothing but tables is called says what its numbers are. */
export function readTableNames({ name, kind }: ReportDocument, { sheet }: Block): string[] {
  const file = kind === 'csv' || kind === 'xlsx' || kind === 'json' ? name.replace(/\.[a-z]+$/i, '') : '';
  return [sheet ?? '', file].map((text) => text.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '));
}

/** "Length of stay (days)" measures no days. */
export function dropUnits(label: string): string {
  return label.replace(
    /\((?:in [^)]*|no\.?|number|#|%|x|thousands?|millions?|days?|hours?|minutes?|weeks?|months?|years?|tonnes?|tons?|k?t|kg|km|[kMGT]Wh?p?|TJ|m[23²³]?|ha|units?|FTEs?|end of (?:period|year)|at (?:year|period)[ -]end)\)|,? (?:at|as at|at the) (?:year|period|quarter)[ -]end\b/gi,
    '',
  );
}

export function dropPeriods(label: string): string {
  return scanPeriods(label)
    .toReversed()
    .reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, label)
    .replace(
      /\b(?:\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2})\b/gi,
      ' ',
    );
}
