import { type Dossier, type ReportDocument } from '../../document.ts';
import { buildDocument } from '../build-document.ts';
import type { RawPart } from '../raw.ts';
import { findNamedRows } from './find-named-rows.ts';
import type { Cube } from './summarize-table.ts';

/** What documents were made of, where they hold long tables: as long as they are in memory. */
const kept = new WeakMap<ReportDocument['blocks'], { parts: readonly RawPart[]; cubes: readonly Cube[] }>();

export function keepLongTables(document: ReportDocument, parts: readonly RawPart[], cubes: readonly Cube[]): void {
  kept.set(document.blocks, { parts, cubes });
}

/**
 * A dossier with what its long tables have on what its own prose and these claims name, at the end of each document.
 */
export function addNamedRows(dossier: Dossier, claims: readonly string[]): Dossier {
  if (!dossier.documents.some(({ blocks }) => kept.has(blocks))) return dossier;
  const texts = [...claims, ...dossier.documents.flatMap(listProse)];
  return {
    documents: dossier.documents.map((document) => {
      const known = kept.get(document.blocks);
      const more = known?.cubes.flatMap((cube) => findNamedRows(cube, texts)) ?? [];
      return more.length === 0 ? document : buildDocument({ ...document, parts: [...known!.parts, ...more] });
    }),
  };
}

function listProse({ text, blocks }: ReportDocument): string[] {
  return blocks
    .filter(({ kind }) => kind === 'paragraph' || (kind === 'list' && !kept.has(blocks)))
    .flatMap(({ sentences }) => sentences.map(({ start, end }) => text.slice(start, end)));
}
