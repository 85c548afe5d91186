import {
  ground,
  type Analysis,
  type Cell,
  type ClaimAnswer,
  type Grounding,
  type NumberFinding,
} from '../jobs/documents/index.ts';

/** Where a number finding stands: the stated place first. */
export function findingPlaces({ places }: NumberFinding, analysis: Analysis): string {
  return listed(
    places.map((place) => ground(place, analysis)),
    analysis,
  );
}

/**
 * Where a verdict's evidence stands, of a number finding all that it was computed from; where the claim was made,
 * when it has none.
 */
export function claimPlaces({ subject, verdict, numbers }: ClaimAnswer, analysis: Analysis): string {
  const cited = verdict.evidence.flatMap((evidence) => {
    const grounding = ground(evidence, analysis, numbers);
    const finding =
      grounding?.told === 'numbers' ? numbers.find(({ statement }) => evidence.quote.startsWith(statement)) : undefined;
    return finding ? finding.places.map((place) => ground(place, analysis)) : [grounding];
  });
  return listed(
    cited.some((grounding) => grounding !== null) || !subject.origin ? cited : [ground(subject.origin, analysis)],
    analysis,
  );
}

const most = 4;

/**
 * Cells of one page or sheet together: `report.pdf p. 3`, `report.pdf p. 2 (row 4, column 3)`, `figures.xlsx
 * North!B3, B7`; of the only document, without its name.
 */
function listed(groundings: readonly (Grounding | null)[], { documents }: Analysis): string {
  const bySpot = Map.groupBy(
    groundings.filter((grounding) => grounding !== null),
    (grounding) => spotOf(grounding, documents.length === 1),
  );
  return [...bySpot].map(([spot, here]) => withCells(spot, here)).join(', ');
}

function spotOf({ document, block, boxes }: Grounding, alone: boolean): string {
  // A block that goes on over the page is cited where the words stand.
  const page = boxes[0]?.page ?? block.page;
  const within = block.sheet ?? (page === undefined ? '' : `p. ${page}`);
  return alone && (within !== '' || block.table) ? within : `${document.name} ${within}`.trimEnd();
}

function withCells(spot: string, here: readonly Grounding[]): string {
  const cells = [...new Set(here.map(({ cells: touched }) => cellWords(touched)))].filter((words) => words !== '');
  if (cells.length === 0) return spot;
  const shown = [...cells.slice(0, most), ...(cells.length > most ? [`… ${cells.length} in all`] : [])];
  if (spot === '') return shown.join('; ');
  return here[0]!.block.sheet === undefined ? `${spot} (${shown.join('; ')})` : `${spot}!${shown.join(', ')}`;
}

function cellWords(cells: readonly Cell[]): string {
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return '';
  if (first.address !== undefined) return first === last ? first.address : `${first.address}:${last.address}`;
  return first === last
    ? `row ${first.row + 1}, column ${first.column + 1}`
    : first.row === last.row
      ? `row ${first.row + 1}`
      : `rows ${first.row + 1}–${last.row + 1}`;
}
