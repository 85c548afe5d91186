import type { Observation } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import type { Claim } from '../analysis.ts';
import type { DocumentCaseFile } from '../case-file.ts';
import {
  formatBlockId,
  type Dossier,
  listBlocks,
  readBlockText,
  widenToSentences,
  type DossierBlock,
} from '../document.ts';
import type { NumberFinding, NumberPlace } from '../numbers/finding.ts';
import type { DocumentPlan } from '../plan.ts';
import { formatExtractId, formatFindingId, formatRowId } from '../grounding/source-name.ts';
import { countShared, listContentStems } from '@agonhq/engine/text';

/** A longer block is not shown whole: its rows, or its sentences, that matter are. */
const longBlock = 6_000;
/** Of a long table or paragraph, so many rows or sentences. */
const mostExtracts = 24;
/** So many rows are told as sentences. */
const mostRows = 12;

/** What a claim stands on, then what retrieval ranked, in reading order, so that claims share the start of prompts. */
export function openClaim(
  claim: Claim,
  dossier: Dossier,
  numbers: readonly NumberFinding[],
  ranked: readonly DossierBlock[],
  limits: DocumentPlan['retrieval'],
  observations: readonly Observation[] = [],
): DocumentCaseFile {
  const places = [...(claim.origin ? [claim.origin] : []), ...numbers.flatMap((finding) => finding.places)];
  const chosen = chooseBlocks(dossier, places, ranked, limits);
  const stems = listContentStems(claim.text);
  const sources = [...listBlocks(dossier).values()]
    .filter((standing) => chosen.has(standing))
    .flatMap((standing) => buildSources(standing, places, stems));
  const ids = new Set([...chosen].map(({ id }) => id));
  const shown = observations.filter(({ of }) => ids.has(of));
  return {
    claim,
    dossier,
    numbers,
    sources: [...sources, ...buildRowSources(chosen, places, stems), ...buildFindingSources(numbers), ...shown],
  };
}

/** Whether a dossier is so short that every claim sees all of it: then nothing needs to be retrieved. */
export function isShownWhole(dossier: Dossier, { characters }: DocumentPlan['retrieval']): boolean {
  const all = [...listBlocks(dossier).values()];
  return all.every(({ block }) => block.end - block.start <= longBlock) && measureBlocks(all) <= characters;
}

function chooseBlocks(
  dossier: Dossier,
  places: readonly NumberPlace[],
  ranked: readonly DossierBlock[],
  limits: DocumentPlan['retrieval'],
): Set<DossierBlock> {
  const blocks = listBlocks(dossier);
  if (isShownWhole(dossier, limits)) return new Set(blocks.values());
  const chosen = new Set(places.flatMap(({ block }) => blocks.get(block) ?? []));
  let characters = measureBlocks([...chosen]);
  for (const standing of ranked) {
    if (chosen.size >= limits.blocks) break;
    const size = measureBlocks([standing]);
    if (chosen.has(standing) || characters + size > limits.characters) continue;
    chosen.add(standing);
    characters += size;
  }
  return chosen;
}

function measureBlocks(standings: readonly DossierBlock[]): number {
  return standings.reduce((sum, { block }) => sum + Math.min(block.end - block.start, longBlock), 0);
}

function buildSources(standing: DossierBlock, places: readonly NumberPlace[], stems: ReadonlySet<string>): Source[] {
  const { document, block, id } = standing;
  if (block.end - block.start <= longBlock) return [{ id, text: readBlockText(standing) }];
  const needed = places.filter((place) => place.block === id).map((place) => widenToSentences(standing, place));
  const headers = (
    block.table
      ? block.sentences.filter(({ row }) => row !== undefined && row < block.table!.headerRows)
      : block.sentences.slice(0, 1)
  ).map(({ start, end }) => ({ start, end }));
  const related = rankByRelation(
    block.sentences.map(({ start, end }) => ({ standing, start, end, text: document.text.slice(start, end) })),
    stems,
  ).slice(0, mostExtracts);
  const ranges = mergeRanges(
    [...headers, ...needed, ...related.map(({ start, end }) => ({ start, end }))],
    document.text,
  );
  return ranges.map(({ start, end }) => ({
    id: formatExtractId(id, { start, end }),
    text: document.text.slice(start, end),
  }));
}

/** Ranges in order, those that touch or are only spaces apart as one. */
function mergeRanges(
  ranges: readonly { start: number; end: number }[],
  text: string,
): { start: number; end: number }[] {
  const joined: { start: number; end: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && text.slice(last.end, range.start).trim() === '') last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

const knownStems = new WeakMap<DossierBlock, Map<string, ReadonlySet<string>>>();

/** Every claim is held against the same sentences. */
function listStems({ standing, text }: { standing: DossierBlock; text: string }): ReadonlySet<string> {
  const known = knownStems.get(standing) ?? new Map<string, ReadonlySet<string>>();
  knownStems.set(standing, known);
  const stems = known.get(text) ?? listContentStems(text);
  known.set(text, stems);
  return stems;
}

function rankByRelation<Part extends { standing: DossierBlock; text: string }>(
  parts: readonly Part[],
  stems: ReadonlySet<string>,
): Part[] {
  const scored = parts.map((part) => ({ part, shared: countShared(stems, listStems(part)) }));
  return scored
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .map(({ part }) => part);
}

/** The rows that have most to do with the claim, told as sentences. */
function buildRowSources(
  chosen: ReadonlySet<DossierBlock>,
  places: readonly NumberPlace[],
  stems: ReadonlySet<string>,
): Observation[] {
  const told = [...chosen].flatMap((standing) =>
    standing.block.sentences.flatMap(({ row, narrative, start, end }) =>
      row !== undefined && narrative ? [{ standing, row, text: narrative, start, end }] : [],
    ),
  );
  const needed = told.filter(({ standing, start, end }) =>
    places.some((place) => place.block === standing.id && place.start < end && start < place.end),
  );
  const kept = [...new Set([...needed, ...rankByRelation(told, stems)])].slice(0, mostRows);
  return kept.map(({ standing, row, text }) => ({
    id: formatRowId(standing.id, row),
    text,
    tool: 'table-row',
    of: standing.id,
  }));
}

/** Number findings as they can be quoted. */
export function buildFindingSources(numbers: readonly NumberFinding[]): Observation[] {
  return numbers.flatMap(({ outcome, statement, arithmetic, places: [stated] }, index) =>
    stated
      ? [
          {
            id: formatFindingId(stated.block, index + 1),
            text: `${statement}\n${arithmetic}`,
            tool: 'numbers',
            of: stated.block,
            note: outcome,
          },
        ]
      : [],
  );
}

/** The whole of a dossier as sources: what the zero-shot judge reads. */
export function buildWholeSources(dossier: Dossier): Source[] {
  return dossier.documents.flatMap((document) =>
    document.blocks.map((block) => ({
      id: formatBlockId(document, block),
      text: document.text.slice(block.start, block.end),
    })),
  );
}
