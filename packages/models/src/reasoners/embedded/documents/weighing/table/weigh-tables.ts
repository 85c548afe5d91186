import type { WeighedLine } from '../rank-lines.ts';
import type { ReadClaim } from '../weigh-text.ts';
import { type Signal, documentWeights as weights } from '../signal.ts';
import { linkClaim, type Links } from './link-claim.ts';
import { quoteRows, readTable, type ReadTable } from './read-table.ts';
import { checkTable } from './check-table.ts';

const tried = 4;
const tables = new WeakMap<object, ReadTable | null>();

function readTableOnce({ document, block }: WeighedLine): ReadTable | null {
  let table = tables.get(block);
  if (table === undefined) tables.set(block, (table = readTable(document, block)));
  return table;
}

/** What the table that knows most of a claim says to it; null when none knows enough. */
export function weighTables(claim: ReadClaim, textCover: number): Signal | null {
  const blocks = new Map(claim.nearest.flatMap(({ line }) => (line.block.table ? [[line.block, line] as const] : [])));
  const linked = Array.from(blocks.values())
    .slice(0, tried)
    .flatMap((line) => {
      const table = readTableOnce(line);
      if (!table) return [];
      const links = linkClaim(claim.tokens, table);
      return [{ table, links, share: measureShare(claim, links) }];
    })
    .sort((a, b) => b.share - a.share);
  const [best] = linked;
  const [besideText, alone] = weights.tableShare;
  if (
    !best ||
    best.share <= textCover ||
    best.share < (claim.lines.all.some(({ block }) => !block.table) ? besideText : alone)
  )
    return null;
  const [check] = checkTable(best.table, best.links);
  if (!check) return null;
  return {
    kind: 'table',
    weight: check.holds ? weights.table.holds : weights.table.fails,
    why: check.why,
    quotes: quoteRows(best.table, check.rows),
    missing: [],
  };
}

function measureShare({ tokens, content, lines }: ReadClaim, { unknown }: Links): number {
  const nowhere = new Set(unknown.map((at) => tokens[at]!));
  const total = content.reduce((sum, { stem }) => sum + lines.rarity(stem), 0);
  return total === 0
    ? 0
    : content.reduce((sum, token) => sum + (nowhere.has(token) ? 0 : lines.rarity(token.stem)), 0) / total;
}
