import { safetyLabel } from '../../runs/index.ts';
import type { ScreenedJob } from './raw-data.ts';
import type { ItemScreen } from './screen-items.ts';

/** The fields that hold what is judged: all that an annotator may see who must not be led. */
const judgedFields: Record<ScreenedJob, readonly string[]> = {
  moderation: ['text', 'image', 'image_description'],
  evaluation: ['prompt', 'response', 'messages'],
};

type Fields = Readonly<Record<string, unknown>>;

/** An item as it was, with an id of its own and a label that is read without a mapping. */
export function itemLine(fields: Fields, { id, gold }: { id: string; gold: string | null }): Fields {
  const { id: _, ...others } = fields;
  return { id, ...others, ...(gold === null || safetyLabel(fields['label']) === gold ? {} : { label: gold }) };
}

/** The same with what the systems made of it. */
export function screenedLine(item: Fields, { reasons, systems, difficulty }: ItemScreen): Fields {
  return { ...item, screen: { reasons, systems, difficulty } };
}

/** What an annotator sees who must not be led: neither label nor machine, nor what the data says beside. */
export function blindLine(item: Fields, job: ScreenedJob): Fields {
  return {
    id: item['id'],
    ...Object.fromEntries(
      judgedFields[job].flatMap((field) => (Object.hasOwn(item, field) ? [[field, item[field]]] : [])),
    ),
  };
}

/** All that a blind line leaves out. */
export function keyLine(
  item: Fields,
  job: ScreenedJob,
  { line, gold, reasons, systems, difficulty }: ItemScreen,
): Fields {
  const hidden = Object.entries(item).filter(([field]) => !['id', 'label', ...judgedFields[job]].includes(field));
  return {
    id: item['id'],
    line,
    label: gold,
    item: Object.fromEntries(hidden),
    screen: { reasons, systems, difficulty },
  };
}
