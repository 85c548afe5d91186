import type { Evidence } from '@agonhq/engine/evidence';
import { collectCitations, type Citations, type Quoter, type Side } from '@agonhq/engine/view';
import type { Analysis } from '../analysis.ts';
import { ground, type Grounding } from '../grounding/ground-citation.ts';
import { listTouchedFindings, type TouchedFinding } from '../view.ts';
import type { ClaimTrace, TraceSide } from './trace-claim.ts';

/** A number finding with its place on the page. */
export interface NumberedFinding extends TouchedFinding {
  number: number;
  anchor: string;
}

export function numberFindings(analysis: Analysis): NumberedFinding[] {
  return listTouchedFindings(analysis).map((touched, index) => ({
    ...touched,
    number: index + 1,
    anchor: `number-${index + 1}`,
  }));
}

const sides: Record<TraceSide, Side> = {
  for: 'exoneration',
  against: 'risk',
  number: 'neutral',
  origin: 'implicit',
  seen: 'neutral',
};

/** Every cited passage of a dossier, numbered in reading order; a document goes by its name. */
export function numberPassages(
  analysis: Analysis,
  traces: readonly ClaimTrace[],
  findings: readonly NumberedFinding[],
): Citations {
  return collectCitations(
    analysis.documents.map(({ name, text }) => ({ id: name, text })),
    [
      ...traces.flatMap(listQuoted),
      ...findings.filter(isMarked).flatMap((finding) => listBound(finding, analysis)),
    ].map(({ grounding, quoter }) => ({ evidence: markPlace(grounding), quoter })),
  );
}

interface Quoted {
  grounding: Grounding;
  quoter: Quoter;
}

/* Where the debate and the verdict cite the same words, their number leads to the debate. */
function listQuoted({ number, citations, verdict }: ClaimTrace): Quoted[] {
  return [...citations.filter((citation) => !verdict.includes(citation)), ...verdict].flatMap(
    ({ grounding, anchor, side, by }) =>
      grounding && anchor !== null
        ? [{ grounding, quoter: { anchor, speaker: `Claim ${number}, ${by}`, side: sides[side] } }]
        : [],
  );
}

/* Findings that hold and touch no claim are listed, but not marked: they would bury what matters. */
function isMarked({ finding, claims }: NumberedFinding): boolean {
  return finding.outcome === 'conflict' || claims.length > 0;
}

function listBound({ finding, number, anchor }: NumberedFinding, analysis: Analysis): Quoted[] {
  const side = finding.outcome === 'conflict' ? 'risk' : 'neutral';
  return [...finding.places, ...(finding.bindings ?? []).map(({ place }) => place)].flatMap((place) => {
    const grounding = ground(place, analysis);
    return grounding ? [{ grounding, quoter: { anchor, speaker: `Number check ${number}`, side } }] : [];
  });
}

/** What of a cited place is marked. Of a table it is drawn in to cells, so that it begins and ends where a mark can. */
export function markPlace({ document, block, start, end, cells, quote }: Grounding): Evidence {
  const written = cells.filter((cell) => cell.end > cell.start);
  const [first, last] = block.table ? [written[0]?.start ?? start, written.at(-1)?.end ?? start] : [start, end];
  return {
    quote,
    source: document.name,
    start: Math.max(start, first),
    end: Math.min(end, last),
    verified: true,
  };
}
