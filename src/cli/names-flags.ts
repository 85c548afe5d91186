import { AgonError } from '../errors.ts';

/** What an input calls our fields and labels, as commander hands it over. */
export interface NamesFlags {
  map?: string[];
  mapLabel?: string[];
}

export interface LabelWords<Meaning extends string> {
  meanings: readonly Meaning[];
  example: string;
}

/**
 * Our field names with those of the input, and the input's labels with what they mean. `known` are the fields of an
 * item, those that are judged from the third on.
 */
export function namesFrom<Meaning extends string>(
  flags: NamesFlags,
  known: readonly string[],
  { meanings, example }: LabelWords<Meaning>,
): { fields: Record<string, string>; labels: Record<string, Meaning> } {
  const fields = pairs(flags.map ?? [], '--map', `${known[2]}=comment`);
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw new AgonError(
      'bad-flag',
      `--map ${unknown}=…: an item has no such field.`,
      `Fields are ${known.join(', ')}.`,
    );
  const labels = pairs(flags.mapLabel ?? [], '--map-label', example.split(',')[0]!);
  const wrong = Object.entries(labels).find(([, label]) => !(meanings as readonly string[]).includes(label));
  if (wrong)
    throw new AgonError(
      'bad-flag',
      `--map-label ${wrong.join('=')}: a label means ${meanings.slice(0, -1).join(', ')} or ${meanings.at(-1)}.`,
      `Write --map-label ${example}.`,
    );
  return { fields, labels: labels as Record<string, Meaning> };
}

function pairs(values: readonly string[], flag: string, example: string): Record<string, string> {
  return Object.fromEntries(
    values.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1)
        throw new AgonError('bad-flag', `${flag} ${pair} is not a pair.`, `Write ${flag} ${example}.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
