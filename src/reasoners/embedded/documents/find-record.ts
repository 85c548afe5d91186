import type { Block, Dossier, ReportDocument } from '../../../jobs/documents/index.ts';
import type { FactRecord } from '../reader/index.ts';

/** A list of keys with their values, such as an infobox. */
export interface ListedRecord extends FactRecord {
  /** Its facts as they stand in the document. */
  lines: readonly string[];
}

const factPattern = /^(?<key>[^:\n]{1,60}):\s+(?<value>\S.*)$/su;
const titleKey = /^(?:title|name)$/i;
const fewestFacts = 2;

const records = new WeakMap<Block, ListedRecord | null>();

/** A block as a record; null where it is none. */
export function findRecord(document: ReportDocument, block: Block): ListedRecord | null {
  let record = records.get(block);
  if (record === undefined) records.set(block, (record = readRecord(document, block)));
  return record;
}

function readRecord({ text }: ReportDocument, { kind, sentences, section }: Block): ListedRecord | null {
  if (kind !== 'list' || sentences.length < fewestFacts) return null;
  const facts = sentences.flatMap(({ start, end }) => {
    const line = text.slice(start, end);
    const { key, value } = factPattern.exec(line)?.groups ?? {};
    return key === undefined || value === undefined ? [] : [{ key, value, line }];
  });
  if (facts.length < sentences.length) return null;
  const title = facts.find(({ key }) => titleKey.test(key));
  const told = facts.filter((fact) => fact !== title);
  return {
    title: title?.value ?? section.at(-1) ?? '',
    facts: told.map(({ key, value }) => [key, value]),
    lines: told.map(({ line }) => line),
  };
}

/** The record that is all of a dossier, whatever words a claim shares with it. */
export function findOnlyRecord({ documents }: Dossier): ListedRecord | null {
  const [document, ...others] = documents;
  const [block, ...rest] = document?.blocks ?? [];
  return document && block && others.length === 0 && rest.length === 0 ? findRecord(document, block) : null;
}
