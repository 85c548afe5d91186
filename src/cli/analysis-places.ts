import { ground, type Analysis, type Cell, type ClaimAnswer, type Grounding, type NumberFinding } from '../documents/index.ts';

/** Where a number finding stands: the stated place first. */
export function findingPlaces({ places }: NumberFinding, analysis: Analysis): string {
  return listed(places.map((place) => ground(place, analysis)));
}

/** Where a verdict's evidence stands; where the claim was made, when it has none. */
export function claimPlaces({ subject, verdict, numbers }: ClaimAnswer, analysis: Analysis): string {
  const cited = verdict.evidence.map((evidence) => ground(evidence, analysis, numbers));
  return listed(cited.some((grounding) => grounding !== null) || !subject.origin ? cited : [ground(subject.origin, analysis)]);
}

const most = 4;

/** Each place once: `report.pdf p. 3, figures.xlsx North!B3, North!B7`. */
function listed(groundings: readonly (Grounding | null)[]): string {
  const places = [...new Set(groundings.filter((grounding) => grounding !== null).map(placeWords))];
  return `${places.slice(0, most).join(', ')}${places.length > most ? `, … (${places.length} places)` : ''}`;
}

/** `report.pdf p. 3`, `report.pdf p. 2 row 4, column 3`, `figures.xlsx North!B3:D3`, `sales.csv row 4`. */
function placeWords({ document, block, cells }: Grounding): string {
  const page = block.page === undefined ? '' : ` p. ${block.page}`;
  const at = cellWords(cells);
  if (block.sheet !== undefined) return `${document.name} ${block.sheet}${at === '' ? '' : `!${at}`}`;
  return `${document.name}${page}${at === '' ? '' : ` ${at}`}`;
}

function cellWords(cells: readonly Cell[]): string {
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return '';
  if (first.address !== undefined) return first === last ? first.address : `${first.address}:${last.address}`;
  return first === last ? `row ${first.row + 1}, column ${first.column + 1}` : first.row === last.row ? `row ${first.row + 1}` : `rows ${first.row + 1}–${last.row + 1}`;
}
