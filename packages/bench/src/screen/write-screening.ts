import { readSafetyLabel } from '@agonhq/engine/items';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLineFile, type LineFile } from '@agonhq/core/runs';
import { readItems } from '../datasets/read-items.ts';
import { hashFile } from '../datasets/open-data.ts';
import type { JobBench } from '../job-bench.ts';
import { readRawly, type RawDataOptions } from './raw-data.ts';
import type { ItemScreen } from './screen-items.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An item as it was, with an id of its own and a label that is read without a mapping. */
export function itemLine(fields: Fields, { id, gold }: { id: string; gold: string | null }): Fields {
  const { id: _, ...others } = fields;
  return { id, ...others, ...(gold === null || readSafetyLabel(fields['label']) === gold ? {} : { label: gold }) };
}

/** The same with what the systems made of it. */
export function screenedLine(item: Fields, { reasons, systems, difficulty }: ItemScreen): Fields {
  return { ...item, screen: { reasons, systems, difficulty } };
}

/** What an annotator sees who must not be led: neither label nor machine, nor what the data says beside. */
export function blindLine(item: Fields, judgedFields: readonly string[]): Fields {
  return {
    id: item['id'],
    ...Object.fromEntries(judgedFields.flatMap((field) => (Object.hasOwn(item, field) ? [[field, item[field]]] : []))),
  };
}

/** All that a blind line leaves out. */
export function keyLine(
  item: Fields,
  judgedFields: readonly string[],
  { line, gold, reasons, systems, difficulty }: ItemScreen,
): Fields {
  const hidden = Object.entries(item).filter(([field]) => !['id', 'label', ...judgedFields].includes(field));
  return {
    id: item['id'],
    line,
    label: gold,
    item: Object.fromEntries(hidden),
    screen: { reasons, systems, difficulty },
  };
}

export interface ScreeningFiles {
  flagged: string;
  /** Where labels and the systems' opinions go; without it they stand beside the item. */
  key?: string;
  agreed?: string;
}

/** An item that was screened, with an id of its own and its place among all that the file holds. */
export type NamedScreen = ItemScreen & { id: string; place: number };

export interface ScreenedSource {
  bench: JobBench;
  file: string;
  sha256: string;
  options: RawDataOptions;
}

/**
 * Goes through the data once more and sorts its items into files, all or none of them. The items are not held in
 * memory, so that the data must still be what was judged.
 */
export async function writeScreening(
  { bench, file, sha256, options }: ScreenedSource,
  screens: readonly NamedScreen[],
  files: ScreeningFiles,
): Promise<void> {
  const byPlace = new Map(screens.map((screen) => [screen.place, screen]));
  const outputs: Partial<Record<keyof ScreeningFiles, LineFile>> = {};
  try {
    for (const [name, path] of Object.entries(files) as [keyof ScreeningFiles, string | undefined][])
      if (path !== undefined) outputs[name] = await openOutput(path);
    let place = 0;
    for await (const line of readItems(file, { read: fieldsOf, ...readRawly(bench, options) }).lines) {
      const screen = byPlace.get(place++);
      if (screen && 'item' in line) await sort(itemLine(line.item.fields, screen), screen);
    }
    if ((await hashFile(file)) !== sha256)
      throw new AgonError(
        'data-changed',
        `${file} changed while it was screened.`,
        'Nothing was written. Run the same command again; with --out nothing is judged twice.',
      );
    for (const output of Object.values(outputs)) await output.keep();
  } catch (error) {
    for (const output of Object.values(outputs)) await output.drop().catch(() => {});
    throw error;
  }

  async function sort(item: ReturnType<typeof itemLine>, screen: NamedScreen): Promise<void> {
    if (screen.reasons.length === 0) return write(outputs.agreed, screenedLine(item, screen));
    await write(outputs.flagged, outputs.key ? blindLine(item, bench.itemFields) : screenedLine(item, screen));
    await write(outputs.key, keyLine(item, bench.itemFields, screen));
  }
}

async function openOutput(file: string): Promise<LineFile> {
  return openLineFile(file).catch((error: unknown) => {
    throw AgonError.is(error)
      ? new AgonError(error.code, error.message, 'Choose another place for it; with --out nothing is judged twice.', {
          cause: error,
        })
      : error;
  });
}

async function write(output: LineFile | undefined, line: Readonly<Record<string, unknown>>): Promise<void> {
  await output?.write(`${JSON.stringify(line)}\n`);
}

function fieldsOf(fields: unknown): { id?: string; fields: Readonly<Record<string, unknown>> } {
  return { fields: typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {} };
}
