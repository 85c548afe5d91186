import type { CaseFile } from '../../../debate/index.ts';
import type { Claim, Dossier } from '../../../documents/index.ts';

/** A case about documents: told by its dossier. */
export function isDocumentCase(caseFile: CaseFile): caseFile is CaseFile & { dossier: Dossier; claim?: Claim } {
  return 'dossier' in caseFile;
}

const prose = new WeakMap<Dossier, string>();

/** What shows a dossier's language: its sentences; where it has tables and lists alone, which are names in any tongue, the claim without those. */
export function judgedProse({ dossier, claim }: { dossier: Dossier; claim?: Claim }): string {
  let text = prose.get(dossier);
  if (text === undefined) {
    text = dossier.documents.flatMap((document) => document.blocks.flatMap(({ kind, start, end }) => (kind === 'paragraph' ? [document.text.slice(start, end)] : []))).join('\n');
    prose.set(dossier, text);
  }
  if (text.length >= 40 || !claim) return text;
  const cells = dossier.documents.map((document) => document.text.toLowerCase()).join('\n');
  return claim.text.split(/\s+/u).filter((word) => !cells.includes(word.toLowerCase())).join(' ');
}
