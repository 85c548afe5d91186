import { openLines, readJsonValues, readSafetyLabel } from '@agonhq/engine/items';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { isObject } from '../datasets/format.ts';
import type { VotedItem } from './resolve-votes.ts';

const keySchema = z.object({
  id: z.string(),
  label: z.enum(['safe', 'unsafe']).nullable(),
  item: z.record(z.string(), z.unknown()).default({}),
  screen: z.unknown(),
});

/** What a blind file left out, of one item. */
export type KeyEntry = z.infer<typeof keySchema>;

/** An item of a flagged file, as it stands there. */
export interface FlaggedItem extends VotedItem {
  fields: Record<string, unknown>;
}

/**
 * The items that were put to people, in their order. A line that is no item, or an id that comes again, ends the
 * reading.
 */
export async function* readFlaggedItems(
  file: string,
  key?: ReadonlyMap<string, KeyEntry>,
): AsyncGenerator<FlaggedItem, void, void> {
  const seen = new Map<string, number>();
  for await (const { line, fields } of objectsIn(file)) {
    const { id: named } = fields;
    if ((typeof named !== 'string' || named === '') && typeof named !== 'number')
      throw notFlagged(file, line, 'it has no id');
    const id = String(named);
    if (seen.has(id)) throw notFlagged(file, line, `its id ${JSON.stringify(id)} is that of line ${seen.get(id)} too`);
    seen.set(id, line);
    const entry = key?.get(id);
    if (key && !entry)
      throw new AgonError(
        'wrong-key',
        `The key says nothing of ${JSON.stringify(id)}, line ${line} of ${file}.`,
        'Give the key file that was written with it.',
      );
    yield {
      id,
      line,
      gold: entry ? entry.label : (readSafetyLabel(fields['label']) ?? null),
      fields: { ...fields, ...entry?.item, ...(entry ? { screen: entry.screen } : {}) },
    };
  }
  if (seen.size === 0)
    throw new AgonError(
      'empty-data',
      `${file} holds no items: there is nothing to vote on.`,
      'Give the file that `agon bench screen --flagged` wrote.',
    );
}

/** What the key file of a blind screening holds, by id. */
export async function readFlaggedKey(file: string): Promise<Map<string, KeyEntry>> {
  const entries = new Map<string, KeyEntry>();
  for await (const { line, fields } of objectsIn(file)) {
    const read = keySchema.safeParse(fields);
    if (!read.success)
      throw new AgonError(
        'wrong-key',
        `${file} is not the key of a screening: its line ${line} is something else.`,
        'Give the key file that `agon bench screen --blind` wrote.',
      );
    entries.set(read.data.id, read.data);
  }
  return entries;
}

async function* objectsIn(file: string): AsyncGenerator<{ line: number; fields: Record<string, unknown> }, void, void> {
  const input = await openLines(file);
  try {
    for await (const { line, ...found } of readJsonValues(input, { example: '{"id":"1","text":"…"}' })) {
      if (!('value' in found) || !isObject(found.value)) throw notFlagged(file, line, 'it is not a JSON object');
      yield { line, fields: found.value };
    }
  } finally {
    input.destroy();
  }
}

function notFlagged(file: string, line: number, why: string): AgonError {
  return new AgonError(
    'not-flagged',
    `Line ${line} of ${file} is not an item to vote on: ${why}.`,
    'Give the file that `agon bench screen --flagged` wrote.',
  );
}
