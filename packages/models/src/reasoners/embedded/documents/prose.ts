import type { Claim, Dossier } from '@agonhq/documents';
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
  const words = claim.text.split(/\s+/u).filter((word) => !cells.includes(word.toLowerCase()));
  // Two or three words that the document does not have are as likely names.
  return words.length < 4 && words.length < claim.text.split(/\s+/u).length ? '' : words.join(' ');
}

function readProse(dossier: Dossier): string {
  let text = prose.get(dossier);
  if (text === undefined) {
    text = dossier.documents
      .flatMap((document) =>
        document.blocks
          .filter(({ kind }) => kind === 'paragraph' || kind === 'list')
          .flatMap(({ sentences }) => sentences.map(({ start, end }) => document.text.slice(start, end))),
      )
      .filter(isSentence)
      .join('\n');
    prose.set(dossier, text);
  }
  return text;
}

/**
 * Whether something is said, and not only named: a record's "Starring: Ana Silva, Jean Dupont" is in no language.
 * German writes its nouns large; letters that have no case say nothing either way.
 */
function isSentence(text: string): boolean {
  const words = text.match(/(?<![\p{L}./])\p{L}[\p{L}\p{M}'’-]+/gu) ?? [];
  const cased = words.filter((word) => /^[\p{Lu}\p{Ll}]/u.test(word));
  if (cased.length < words.length / 2) return true;
  const small = cased.filter((word) => /^\p{Ll}/u.test(word)).length;
  const commas = text.match(/,/g)?.length ?? 0;
  return words.length >= 6 && small >= 0.3 * cased.length && commas <= words.length / 4;
}

let before = Promise.resolve();

/** A turn of the loop for this caller alone: those who ask together would follow each other within one. */
export function waitForOwnTurn(): Promise<void> {
  return (before = before.then(() => turnOfTheLoop()));
}
