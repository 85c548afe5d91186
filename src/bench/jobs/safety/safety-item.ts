import { readSafetyLabel } from '../../../items/index.ts';
import {
  categoryOf,
  fieldReader,
  readNotes,
  type ItemNotes,
  type ItemReading,
  type SubjectItem,
} from '../../datasets/labelled-item.ts';

/** An item that is safe or unsafe. */
export interface SafetyItem<Subject> extends SubjectItem<Subject> {
  label: 'safe' | 'unsafe';
}

/** A parsed line: what every job reads of it, and a way to its other fields. */
export interface SafetyLine extends Omit<ItemNotes, 'modality'> {
  id?: string;
  label: 'safe' | 'unsafe';
  /** By our own name; undefined when the item does not have it. */
  field(name: string): unknown;
}

/** Reads what every job needs of a line. `parts` names the fields that hold what is judged, for the hint. */
export function readSafetyLine(
  value: unknown,
  { fields, labels, by = 'category' }: ItemReading,
  parts: string,
): SafetyLine {
  const hint =
    `An item has "label" (safe/unsafe, harmful/unharmful, 0/1, true/false) and ${parts}; --map and ` +
    '--map-label name them otherwise.';
  const field = fieldReader(value, fields, hint);
  const notes = readNotes(field, { labels, known: readSafetyLabel, hint });
  return { ...notes, category: categoryOf(field(by)), field };
}
