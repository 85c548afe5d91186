import type { Source } from '../evidence/index.ts';
import type { FactorCaseFile } from './case-file.ts';
import type { Dossier } from './document.ts';
import { extractId } from './source-name.ts';
import { blocksOf, textOf, type Standing } from './standing.ts';

/** The dossier in parts that the factor agent reads at once: whole when it is short, else blocks together up to a length, none over two documents. */
export function factorCases(dossier: Dossier, chunkCharacters: number): FactorCaseFile[] {
  const all = [...blocksOf(dossier).values()].filter((standing) => textOf(standing).trim() !== '');
  const pieces = all.flatMap((standing) => sourcesOf(standing, chunkCharacters).map((source) => ({ source, document: standing.document })));
  const whole = pieces.reduce((sum, { source }) => sum + source.text.length, 0) <= chunkCharacters;
  const cases: { sources: Source[]; size: number; document: unknown }[] = [];
  for (const { source, document } of pieces) {
    const last = cases.at(-1);
    if (last && (whole || (last.document === document && last.size + source.text.length <= chunkCharacters))) {
      last.sources.push(source);
      last.size += source.text.length;
    } else cases.push({ sources: [source], size: source.text.length, document });
  }
  return cases.map(({ sources }) => ({ dossier, sources }));
}

/** A block, or, of one that is longer than what is read at once, its sentences or rows together up to that length. */
function sourcesOf(standing: Standing, most: number): Source[] {
  const { id, document, block } = standing;
  if (block.end - block.start <= most) return [{ id, text: textOf(standing) }];
  const extracts: { start: number; end: number }[] = [];
  for (const { start, end } of block.sentences) {
    const last = extracts.at(-1);
    if (last && end - last.start <= most) last.end = end;
    else extracts.push({ start, end });
  }
  return extracts.map((range) => ({ id: extractId(id, range), text: document.text.slice(range.start, range.end) }));
}
