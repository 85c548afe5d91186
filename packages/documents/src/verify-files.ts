import { checkThat, type Check } from '@agonhq/engine/debate';
import { canonicalJson } from '@agonhq/engine/hash';
import type { Analysis } from './analysis.ts';
import { formatBlockId, type ReportDocument } from './document.ts';

/** What the files say today in the place of what the trace says; a file that is not at hand stays as it is there. */
export function replaceDocuments(analysis: Analysis, files: readonly ReportDocument[]): Analysis {
  return {
    ...analysis,
    documents: analysis.documents.map((document) => ({
      ...(files.find((file) => isSameFile(file, document)) ?? document),
      name: document.name,
    })),
  };
}

/** Whether files are those that were read, and the trace tells their text, blocks, boxes and cells. */
export function verifyFiles({ documents }: Analysis, files: readonly ReportDocument[]): Check {
  const unknown = files.find((file) => !documents.some((document) => isNamesake(file, document)));
  if (unknown) return checkThat('files', false, `${unknown.name} was not read`);
  const other = files.find((file) => !documents.some((document) => isSameFile(file, document)));
  if (other) return checkThat('files', false, `${other.name} is not the file that was read`);
  const read = documents.flatMap((document) =>
    files.filter((file) => isSameFile(file, document)).map((file) => ({ file, document })),
  );
  const difference = read
    .map(({ file, document }) => describeDifference(document, file))
    .find((found) => found !== null);
  if (difference) return checkThat('files', false, `read again, ${difference}`);
  const missing = documents.length - new Set(read.map(({ document }) => document)).size;
  return checkThat(
    'files',
    true,
    `${files.length} file(s) read again say what the trace says${missing > 0 ? `; ${missing} not at hand` : ''}`,
  );
}

function isNamesake(file: ReportDocument, { name }: ReportDocument): boolean {
  return name === file.name || dropNumber(name) === dropNumber(file.name);
}

function isSameFile(file: ReportDocument, document: ReportDocument): boolean {
  return isNamesake(file, document) && file.hash === document.hash;
}

/** `report.csv` of `report (2).csv`: files of the same name are told apart by a number. */
function dropNumber(name: string): string {
  return name.replace(/ \(\d+\)(?=(?:\.[^.]*)?$)/u, '');
}

function describeDifference(told: ReportDocument, file: ReportDocument): string | null {
  const blocks = Array.from({ length: Math.max(told.blocks.length, file.blocks.length) }, (_, index) => index);
  const wrong = blocks.find(
    (index) => !isSamePart(told.blocks[index], file.blocks[index]) || readBlock(told, index) !== readBlock(file, index),
  );
  if (wrong !== undefined)
    return `${formatBlockId(told, told.blocks[wrong] ?? file.blocks[wrong]!)} is not what the trace says`;
  return (['kind', 'text', 'pages', 'notes'] as const).every((part) => isSamePart(told[part], file[part]))
    ? null
    : `${told.name} is not what the trace says`;
}

function readBlock({ text, blocks }: ReportDocument, index: number): string | undefined {
  const block = blocks[index];
  return block && text.slice(block.start, block.end);
}

function isSamePart(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
