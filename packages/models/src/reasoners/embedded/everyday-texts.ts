import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '@agonhq/engine/package-folder';

/** Everyday texts of our own writing, none of which breaks any rule that we can think of. */
export interface EverydayTexts {
  /** What clauses of a user's own are told apart from, and their bars are set by. */
  fitted: readonly string[];
  /** What false alarms are counted on: nothing is fitted to them. */
  tried: readonly string[];
}

let loaded: Promise<EverydayTexts> | undefined;

/**
 * Reads the everyday texts that ship with Agon, one on each line of assets/everyday-texts.txt; every third is tried.
 */
export function loadEverydayTexts(): Promise<EverydayTexts> {
  loaded ??= read();
  return loaded;
}

async function read(): Promise<EverydayTexts> {
  const file = join(packageFolder(import.meta.dirname), 'assets', 'everyday-texts.txt');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return {
    fitted: lines.filter((_, index) => index % 3 !== 2),
    tried: lines.filter((_, index) => index % 3 === 2),
  };
}
