import type { Dossier, NumberPlace } from '@agonhq/documents';
import { listLines, rankLines, dropOrigin, type RankedLine } from './rank-lines.ts';
import { weighTables } from './table/weigh-tables.ts';
import { selectContent, measureCover, weighText, weighWording, type ReadClaim } from './weigh-text.ts';
import { type Signal, type Weighed, documentWeights as weights } from './signal.ts';
import { tokenize } from '@agonhq/engine/text';

/** So many lines are weighed; more are only there to be quoted. */
const weighed = 12;
const retrieved = 40;
const close = 5;
/** A line with less of the nearest one's score is not quoted. */
const farthest = 0.3;

/** Signals that rest on what the document says, not on what it leaves out. */
const conflicts = new Set<Signal['kind']>(['table', 'negation', 'opposite', 'number']);

/** Weighs a claim by code alone: its words against the nearest lines, or a table's reading where a table knows more. */
export function weighClaim(
  claim: string,
  dossier: Dossier,
  { origin = null }: { origin?: NumberPlace | null } = {},
): Weighed {
  const lines = dropOrigin(listLines(dossier), origin);
  const tokens = tokenize(claim);
  const content = selectContent(tokens);
  const ranked = rankLines(
    content.map(({ stem }) => stem),
    lines,
    retrieved,
  );
  const read: ReadClaim = { text: claim, tokens, content, lines, nearest: ranked.slice(0, weighed) };
  const near = read.nearest.slice(0, close).map(({ line }) => line);
  const cover = measureCover(read, near);
  const table = origin
    ? null
    : weighTables(
        read,
        measureCover(
          read,
          near.filter(({ block }) => !block.table),
        ),
      );
  const signals = table ? [table] : origin ? weighWording(read) : weighText(read);
  const logit = (table ? 0 : weights.bias) + signals.reduce((sum, { weight }) => sum + weight, 0);
  return {
    side: decideSide(logit, table ? 1 : cover, signals),
    score: 1 / (1 + Math.exp(-logit)),
    cover,
    signals,
    nearest: selectQuotes(ranked),
  };
}

function decideSide(logit: number, cover: number, signals: readonly Signal[]): Weighed['side'] {
  if (cover < weights.leastCover) return 'unknown';
  if (logit > 0) return 'support';
  return signals.some(({ kind, weight, quotes }) => weight < 0 && conflicts.has(kind) && quotes.length > 0)
    ? 'contradiction'
    : 'unknown';
}

/** What comes near the nearest; the header of a table says nothing by itself. */
function selectQuotes(ranked: readonly RankedLine[]): string[] {
  const least = (ranked[0]?.score ?? 0) * farthest;
  return ranked.flatMap(({ line: { text, block, sentence }, score }) =>
    score < least || (sentence.row !== undefined && sentence.row < (block.table?.headerRows ?? 0)) ? [] : [text],
  );
}
