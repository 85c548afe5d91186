import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import type { DecidedCase } from './clauses.ts';

let loaded: Promise<readonly DecidedCase[]> | undefined;

/**
 * Reads the sentences of our own that break a clause of the default policy, one on each line of
 * assets/clause-examples.tsv: the clause is named by what a text resembles, and a policy has three or four examples.
 */
export function loadClauseExamples(): Promise<readonly DecidedCase[]> {
  loaded ??= read();
  return loaded;
}

async function read(): Promise<DecidedCase[]> {
  const file = join(await packageFolder(import.meta.dirname), 'assets', 'clause-examples.tsv');
  return (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [clause, text] = line.split('\t') as [string, string];
      return { clause, text };
    });
}
