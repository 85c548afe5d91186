import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger, type Ledger } from '@agonhq/ledger';

let empty: Promise<string> | null = null;

/** A new ledger in a file. Made once and copied: its schema takes longer to make than most tests. */
export async function openNewLedger(file: string): Promise<Ledger> {
  await copyFile(await (empty ??= makeEmpty()), file);
  return openLedger({ file });
}

async function makeEmpty(): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-empty-')), 'ledger.sqlite');
  await (await openLedger({ file })).close();
  return file;
}
