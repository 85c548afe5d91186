import path from 'node:path';
import { badFlag } from '@agonhq/engine/agon-error';
import type { InputFormat } from '@agonhq/engine/items';
import type { Job } from '@agonhq/judges/job';
import type { RunReading } from '@agonhq/core/runs';

/* Values of flags that commander leaves as text. */

const spans: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A moment as people write it: `90d`, `12h` or `8w` ago, or a date. */
export function readPastMoment(flag: string, value: string, now = new Date()): Date {
  return readMoment(flag, value, (span) => now.getTime() - span);
}

/** The same for what is to come: `90d`, `12h` or `8w` from now, or a date. */
export function readFutureMoment(flag: string, value: string, now = new Date()): Date {
  return readMoment(flag, value, (span) => now.getTime() + span);
}

function readMoment(flag: string, value: string, away: (span: number) => number): Date {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(value) ?? [];
  const found = new Date(
    unit !== undefined ? away(Number(count) * spans[unit]!) : /^\d{4}-\d{2}-\d{2}/.test(value) ? value : Number.NaN,
  );
  if (Number.isNaN(found.getTime()))
    throw badFlag(`${flag} ${value} is not a time.`, 'Write a duration (90d, 12h, 8w) or a date (2026-01-31).');
  return found;
}

/** What an input calls our fields and labels, as commander hands it over. */
export interface NamesFlags {
  map?: string[];
  mapLabel?: string[];
}

export interface LabelMeanings<Meaning extends string> {
  meanings: readonly Meaning[];
  example: string;
}

/**
 * Our field names with those of the input, and the input's labels with what they mean. `known` are the fields of an
 * item, those that are judged from the third on.
 */
export function readNames<Meaning extends string>(
  flags: NamesFlags,
  known: readonly string[],
  { meanings, example }: LabelMeanings<Meaning>,
): { fields: Record<string, string>; labels: Record<string, Meaning> } {
  const fields = readPairs(flags.map ?? [], '--map', `${known[2]}=comment`);
  // `context.author` is a member of a field.
  const unknown = Object.keys(fields).find((field) => !known.includes(field.split('.')[0]!));
  if (unknown !== undefined)
    throw badFlag(
      `--map ${unknown}=…: an item has no such field.`,
      known.includes('context')
        ? `Fields are ${known.join(', ')}; what is known beside them is of the context: --map context.${unknown}=….`
        : `Fields are ${known.join(', ')}.`,
    );
  const labels = readPairs(flags.mapLabel ?? [], '--map-label', example.split(',')[0]!);
  const wrong = Object.entries(labels).find(([, label]) => !(meanings as readonly string[]).includes(label));
  if (wrong)
    throw badFlag(
      `--map-label ${wrong.join('=')}: a label means ${meanings.slice(0, -1).join(', ')} or ${meanings.at(-1)}.`,
      `Write --map-label ${example}.`,
    );
  return { fields, labels: labels as Record<string, Meaning> };
}

function readPairs(values: readonly string[], flag: string, example: string): Record<string, string> {
  return Object.fromEntries(
    values.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1)
        throw badFlag(`${flag} ${pair} is not a pair.`, `Write ${flag} ${example}.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/**
 * The whole numbers that a flag names: one, several, or from one to another.
 *
 * @example numbersIn('--rounds', '2..5', [1, 10]) // [2, 3, 4, 5]
 */
export function readNumberRange(flag: string, text: string, [least, most]: readonly [number, number]): number[] {
  const numbers = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(part) ?? [];
    if (from === undefined || Number(from) > Number(to) || Number(to) > most) return [Number.NaN];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, place) => Number(from) + place);
  });
  const fine = numbers.length > 0 && numbers.every((number) => number >= least && number <= most);
  if (!fine)
    throw badFlag(
      `${flag} ${text} does not name numbers from ${least} to ${most}.`,
      `Write ${flag} ${least + 1}, ${flag} ${least},${most} or ${flag} ${least}..${most}.`,
    );
  return [...new Set(numbers)];
}

/** Fails if --fail-on names something that is not a verdict. */
export function assertLabels(given: readonly string[] | undefined, labels: readonly string[]): void {
  const unknown = given?.find((label) => !labels.includes(label));
  if (unknown !== undefined)
    throw badFlag(`--fail-on ${unknown} is not a verdict.`, `Verdicts are ${labels.join(', ')}.`);
}

/** How a file of items is read. */
export interface ItemsFlags extends NamesFlags {
  file?: string;
  format?: InputFormat;
  root?: string;
}

/** What the input calls our fields and labels, and where its files are. */
export function readReading(job: Job, flags: ItemsFlags & { file: string }): RunReading {
  const { fields, labels } = readNames(flags, job.items.fields, {
    meanings: job.labels,
    example: job.labels
      .slice(0, 2)
      .map((label, index) => `${['yes', 'no'][index]}=${label}`)
      .join(','),
  });
  return {
    root: path.resolve(flags.root ?? (flags.file === '-' ? '.' : path.dirname(flags.file))),
    ...(flags.format ? { format: flags.format } : {}),
    ...(Object.keys(fields).length > 0 ? { map: fields } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
  };
}
