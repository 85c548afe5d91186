import type { Claim, Dossier } from '../../../jobs/documents/index.ts';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

const prose = new WeakMap<Dossier, string>();

/** Whether a dossier has sentences enough to show its language, whatever is claimed of it. */
export function showsItsLanguage(dossier: Dossier): boolean {
  return readProse(dossier).length >= 40;
}

/** What shows a dossier's language: its sentences; where it has only tables and lists, the claim without names. */
export function readJudgedProse({ dossier, claim }: { dossier: Dossier; claim?: Claim }): string {
  if (showsItsLanguage(dossier) || !claim) return readProse(dossier);
  const cells = dossier.documents.map((document) => document.text.toLowerCase()).join('\n');
  return claim.text
    .split(/\s+/u)
    .filter((word) => !cells.includes(word.toLowerCase()))
    .join(' ');
}

function readProse(dossier: Dossier): string {
  let text = prose.get(dossier);
  if (text === undefined) {
    text = dossier.documents
      .flatMap((document) =>
        document.blocks.flatMap(({ kind, start, end }) =>
          kind === 'paragraph' || kind === 'list' ? [document.text.slice(start, end)] : [],
        ),
      )
      .join('\n');
    prose.set(dossier, text);
  }
  return text;
}

let before = Promise.resolve();

/** A turn of the loop for this caller alone: those who ask together would follow each other within one. */
export function waitForOwnTurn(): Promise<void> {
  return (before = before.then(() => turnOfTheLoop()));
}
