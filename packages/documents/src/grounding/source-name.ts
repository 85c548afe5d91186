import { pattern } from '@agonhq/engine/text';
/** What a source is: a block, an extract, a row as a sentence, a number finding, a passage to the judges. */
export interface SourceName {
  block: string;
  extract?: { start: number; end: number };
  row?: number;
  /** From 1. */
  finding?: number;
  /** From 1. */
  injection?: number;
}

// A file's name may itself have a # in it: the last one counts.
const sourcePattern = pattern('s')`
  ^(?<block>.*#b\d+)(?:@(?<start>\d+)-(?<end>\d+)|\/row-(?<row>\d+)|\/numbers-(?<finding>\d+)
  |\/injection-(?<injection>\d+))?$`;

export function parseSourceName(id: string): SourceName | null {
  const groups = sourcePattern.exec(id)?.groups;
  if (!groups) return null;
  return {
    block: groups['block']!,
    ...(groups['start'] === undefined
      ? {}
      : { extract: { start: Number(groups['start']), end: Number(groups['end']) } }),
    ...(groups['row'] === undefined ? {} : { row: Number(groups['row']) }),
    ...(groups['finding'] === undefined ? {} : { finding: Number(groups['finding']) }),
    ...(groups['injection'] === undefined ? {} : { injection: Number(groups['injection']) }),
  };
}

export function formatExtractId(block: string, { start, end }: { start: number; end: number }): string {
  return `${block}@${start}-${end}`;
}

export function formatRowId(block: string, row: number): string {
  return `${block}/row-${row}`;
}

/** `number` is from 1. */
export function formatFindingId(block: string, number: number): string {
  return `${block}/numbers-${number}`;
}
