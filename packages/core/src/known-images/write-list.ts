import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import { parseKnownImageList, type ListEntry } from './read-list.ts';

/** Adds an image to a list, which is made where there is none. False where the list has it already. */
export async function addToKnownImageList(file: string, entry: ListEntry): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const entries = text === null || text.trim() === '' ? [] : await parseKnownImageList(text, file);
  if (entries.some(({ hash }) => hash === entry.hash)) return false;
  const kind = path.extname(file).toLowerCase();
  if (kind === '.json') await writeFile(file, `${JSON.stringify([...entries, entry], null, 2)}\n`);
  else {
    const isCut = text !== null && text !== '' && !text.endsWith('\n');
    const head = kind === '.csv' && entries.length === 0 && !text?.trim() ? 'hash,label,source\n' : '';
    await appendFile(file, `${isCut ? '\n' : ''}${head}${kind === '.csv' ? toCsv(entry) : toLine(entry)}`);
  }
  return true;
}

function toCsv({ hash, label, source }: ListEntry): string {
  return renderCsvRow([hash, renderTextCell(label ?? ''), renderTextCell(source ?? '')]);
}

/** A comma parts the label from the source, and a line is one entry. */
function toLine({ hash, label, source }: ListEntry): string {
  const plain = (words: string) => words.replaceAll(/[\s,]+/g, ' ').trim();
  const said = source === null ? plain(label ?? '') : `${plain(label ?? '')}, ${plain(source)}`;
  return `${hash} ${said}`.trim() + '\n';
}
