import {
  claimLabels,
  describePersonVerdict,
  describeUnread,
  findPersonVerdict,
  listAlike,
  describeClaimLabel,
  describeOutlook,
  listTouchedFindings,
  listOwnRisks,
  type Analysis,
  type ClaimAnswer,
  type NumberFinding,
  type PersonVerdict,
  type ReportDocument,
  ground,
  type Cell,
  type Grounding,
} from '@agonhq/documents';
import type { JobCorrection } from '@agonhq/judges/job';
import { toOneLine } from '@agonhq/engine/text';
import { printCount } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { padLine, wrapText } from '../terminal/table.ts';
import { formatUsage } from './render-verdict.ts';

type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'magenta';

/** What nobody could decide stands out; what nothing carries does not. */
export function colourLabel(label: string, { tone } = describeClaimLabel(label)): Colour {
  if (label === 'undecided') return 'magenta';
  return ({ good: 'green', between: 'yellow', bad: 'red', open: 'dim' } as const)[tone];
}

/** The documents, the verdicts, conflicting numbers, the outlook and the cost. */
export function renderAnalysis(
  analysis: Analysis,
  width: number,
  corrections: readonly JobCorrection[] = [],
): string[] {
  return [
    ...analysis.documents.flatMap((document) => renderDocument(document, width)),
    ...renderCautions(analysis, width),
    '',
    ...renderVerdicts(analysis, width, corrections),
    ...renderConflicts(analysis, width),
    ...renderOutlook(analysis, width),
    ...renderReserves(analysis, width),
    ...indentText(formatSmallPrint(analysis), width).map((line) => style('dim', line)),
  ];
}

/** The verdicts, and what limits them. */
export function renderVerdictsAlone(
  analysis: Analysis,
  width: number,
  corrections: readonly JobCorrection[] = [],
): string[] {
  return [...renderCautions(analysis, width), ...renderVerdicts(analysis, width, corrections).slice(0, -1)];
}

export function renderDocument(document: ReportDocument, width: number): string[] {
  const { name, kind, pages, blocks, notes } = document;
  const tables = blocks.filter((block) => block.kind === 'table').length;
  const facts = [
    kind,
    pages && printCount(pages.length, 'page'),
    printCount(blocks.length, 'block'),
    tables > 0 && printCount(tables, 'table'),
  ].filter(Boolean);
  return [
    ...wrapText(`${style('bold', sanitize(name))} ${style('dim', facts.join(' · '))}`, width),
    ...notes.flatMap((note) => indentText(note, width)).map((line) => style('dim', line)),
  ];
}

/** Text that addresses the judges, and what could not be read: to be known before the verdicts. */
function renderCautions({ observations, degraded }: Analysis, width: number): string[] {
  const spoken = observations.map(({ of, text, note }) => `${of}: “${toOneLine(text)}” ${note ?? ''}`);
  const unread = [...Map.groupBy(degraded, ({ detail }) => detail)].map(
    ([detail, all]) => `Degraded: ${detail} (${all.length === 1 ? all[0]!.at : `${all.length} times`})`,
  );
  return [...spoken, ...unread]
    .flatMap((line) => indentText(sanitize(line), width))
    .map((line) => style('yellow', line));
}

/** One row for each claim: its text, the verdict, the rule that decided, and where. */
function renderVerdicts(analysis: Analysis, width: number, corrections: readonly JobCorrection[]): string[] {
  const { claims } = analysis;
  if (claims.length === 0) {
    const [unread] = describeUnread(analysis.degraded);
    return [...wrapText(sanitize(unread ?? 'No claims were found. Name your own with --factor "…".'), width), ''];
  }
  const rows = claims.map((claim) => describeClaim(claim, analysis, findPersonVerdict(claim, corrections)));
  return [
    ...wrapText(style('bold', `${printCount(claims.length, 'claim')}: ${countLabels(claims)}`), width),
    ...(width >= wide ? renderInColumns(rows, width) : rows.flatMap((row) => renderStacked(row, width))),
    '',
  ];
}

interface Row {
  claim: string;
  verdict: string;
  rule: string;
  where: string;
  colour: Colour;
}

function describeClaim(answer: ClaimAnswer, analysis: Analysis, person: PersonVerdict | null): Row {
  const { subject, verdict, roleCollapse } = answer;
  const marks = [
    // What decided says so itself.
    person && verdict.label !== person.label && `corrected: ${toOneLine(describePersonVerdict(person))}`,
    ...listAlike(answer).map((said) => `corrected alike: ${toOneLine(said)}`),
    verdict.escalate && 'needs review',
    roleCollapse && 'the dissenting side attacked nothing',
    ...describeDegraded(verdict.degraded),
  ].filter(Boolean);
  return {
    claim: sanitize(`${subject.id.replace(/^claim-0*/, '')}. ${toOneLine(subject.text)}`),
    verdict: verdict.label,
    rule: sanitize(
      [`${verdict.rule.id.replaceAll('-', ' ')}: ${toOneLine(explainVerdict(answer))}`, ...marks].join(' · '),
    ),
    where: sanitize(listClaimPlaces(answer, analysis)),
    colour: colourLabel(verdict.label),
  };
}

/** Conflicts are explained below the table: here their arithmetic is enough. */
function explainVerdict({ verdict: { rule }, numbers }: ClaimAnswer): string {
  return numbers.find(({ statement, arithmetic }) => rule.why === `${statement} ${arithmetic}`)?.arithmetic ?? rule.why;
}

/** Narrower terminals show a claim's facts below each other. */
const wide = 96;
const labelWidth = 'verified-strong'.length;

function renderInColumns(rows: readonly Row[], width: number): string[] {
  const room = width - labelWidth - 6;
  const widths = [Math.floor(room * 0.4), labelWidth, Math.floor(room * 0.36), Math.floor(room * 0.24)];
  const lines = rows.map(({ claim, verdict, rule, where, colour }) => {
    const cells = [claim, verdict, rule, where].map((cell, column) => wrapText(cell, widths[column]!));
    cells[1] = cells[1]!.map((line) => style(colour, line));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
      joinCells(
        cells.map((cell) => cell[line] ?? ''),
        widths,
      ),
    );
  });
  return [style('dim', joinCells(['claim', 'verdict', 'rule', 'where'], widths)), ...lines.flat()];
}

function joinCells(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => padLine(cell, widths[column]!))
    .join('  ')
    .trimEnd();
}

function renderStacked({ claim, verdict, rule, where, colour }: Row, width: number): string[] {
  return [
    ...wrapText(`${claim} ${style(colour, verdict)}`, width),
    ...indentText(rule, width),
    ...indentText(where, width).map((line) => style('dim', line)),
  ];
}

function renderConflicts(analysis: Analysis, width: number): string[] {
  const numbers = listTouchedFindings(analysis).map(({ finding }) => finding);
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  if (conflicts.length === 0)
    return numbers.length === 0 ? [] : [`${printCount(numbers.length, 'number check')}, no conflict.`, ''];
  const heading = `${printCount(numbers.length, 'number check')}, ${printCount(conflicts.length, 'conflict')}:`;
  return [
    ...wrapText(style('bold', heading), width),
    ...conflicts.flatMap((finding) => renderConflict(finding, analysis, width)),
    '',
  ];
}

function renderConflict(finding: NumberFinding, analysis: Analysis, width: number): string[] {
  const { statement, arithmetic } = finding;
  return [
    ...wrapText(`${style('red', '✗')} ${sanitize(toOneLine(statement))}`, width),
    ...indentText(toOneLine(arithmetic), width).map((line) => style('cyan', line)),
    ...indentText(listFindingPlaces(finding, analysis), width).map((line) => style('dim', line)),
  ];
}

function renderOutlook(analysis: Analysis, width: number): string[] {
  const { outlook, coverage } = analysis;
  const renderList = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [title, ...items.flatMap((item) => renderBullet(item, width))];
  return [
    `${style('bold', 'Outlook:')} ${style(colourLabel(outlook.label, describeOutlook(outlook.label)), outlook.label)}`,
    ...indentText(outlook.brief, width),
    ...renderList('Risks', listOwnRisks(analysis)),
    ...renderList('Open questions', outlook.questions),
    ...(coverage.length > 0
      ? wrapText(
          style(
            'dim',
            `${printCount(coverage.length, 'block')} with assertions yielded no claim. --report FILE lists them.`,
          ),
          width,
        )
      : []),
    '',
  ];
}

/** What limits the result: failed seats, and text that addresses the judges. */
function renderReserves({ degraded, observations }: Analysis, width: number): string[] {
  const lines = [
    ...degraded.map(({ kind, at, detail }) => `${describeDegraded([{ kind }]).join('')} (${at}): ${toOneLine(detail)}`),
    ...observations.map(({ of, text }) => `${of} addresses the judges, and was ignored: “${toOneLine(text)}”`),
  ];
  return lines.length === 0 ? [] : [...lines.flatMap((line) => wrapText(style('yellow', sanitize(line)), width)), ''];
}

const degradations: Record<string, string> = {
  fallback: 'a seat gave no answer',
  'struck-evidence': 'a quotation was struck',
  'struck-attack': 'an attack was struck',
  'cut-prompt': 'a prompt was cut to the context of the model',
  'score-contradicts-rule': 'the score contradicts the rule',
};

function describeDegraded(degraded: readonly { kind: string }[]): string[] {
  return [...new Set(degraded.map(({ kind }) => degradations[kind] ?? kind.replaceAll('-', ' ')))];
}

function formatSmallPrint({ usage, id, provenance }: Analysis): string {
  return `${formatUsage(usage)} · ${[...new Set(Object.values(provenance.models))].join(', ')} · ${id}`;
}

/** `2 supported, 1 contradicted`. */
function countLabels(claims: readonly ClaimAnswer[]): string {
  const counts = claimLabels.map((label) => ({
    label,
    number: claims.filter(({ verdict }) => verdict.label === label).length,
  }));
  return counts
    .filter(({ number }) => number > 0)
    .map(({ label, number }) => `${number} ${label}`)
    .join(', ');
}

function indentText(text: string, width: number): string[] {
  return text.trim() === '' ? [] : wrapText(sanitize(text), width - 4).map((line) => `  ${line}`);
}

function renderBullet(text: string, width: number): string[] {
  return wrapText(sanitize(toOneLine(text)), width - 4).map((line, index) => `  ${index === 0 ? '•' : ' '} ${line}`);
}

/** Where a number finding stands: the stated place first. */
function listFindingPlaces({ places }: NumberFinding, analysis: Analysis): string {
  return listPlaces(
    places.map((place) => ground(place, analysis)),
    analysis,
  );
}

/**
 * Where a verdict's evidence stands, of a number finding all that it was computed from; where the claim was made,
 * when it has none.
 */
export function listClaimPlaces({ subject, verdict, numbers }: ClaimAnswer, analysis: Analysis): string {
  const cited = verdict.evidence.flatMap((evidence) => {
    const grounding = ground(evidence, analysis, numbers);
    const finding =
      grounding?.told === 'numbers' ? numbers.find(({ statement }) => evidence.quote.startsWith(statement)) : undefined;
    return finding ? finding.places.map((place) => ground(place, analysis)) : [grounding];
  });
  return listPlaces(
    cited.some((grounding) => grounding !== null) || !subject.origin ? cited : [ground(subject.origin, analysis)],
    analysis,
  );
}

const most = 4;

/**
 * Cells of one page or sheet together: `report.pdf p. 3`, `report.pdf p. 2 (row 4, column 3)`, `figures.xlsx
 * North!B3, B7`; of the only document, without its name.
 */
function listPlaces(groundings: readonly (Grounding | null)[], { documents }: Analysis): string {
  const bySpot = Map.groupBy(
    groundings.filter((grounding) => grounding !== null),
    (grounding) => nameSpot(grounding, documents.length === 1),
  );
  return [...bySpot].map(([spot, here]) => addCells(spot, here)).join(', ');
}

function nameSpot({ document, block, boxes }: Grounding, alone: boolean): string {
  // A block that goes on over the page is cited where the words stand.
  const page = boxes[0]?.page ?? block.page;
  const within = block.sheet ?? (page === undefined ? '' : `p. ${page}`);
  return alone && (within !== '' || block.table) ? within : `${document.name} ${within}`.trimEnd();
}

function addCells(spot: string, here: readonly Grounding[]): string {
  const cells = [...new Set(here.map(({ cells: touched }) => formatCells(touched)))].filter((words) => words !== '');
  if (cells.length === 0) return spot;
  const shown = [...cells.slice(0, most), ...(cells.length > most ? [`… ${cells.length} in total`] : [])];
  if (spot === '') return shown.join('; ');
  return here[0]!.block.sheet === undefined ? `${spot} (${shown.join('; ')})` : `${spot}!${shown.join(', ')}`;
}

function formatCells(cells: readonly Cell[]): string {
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return '';
  if (first.address !== undefined) return first === last ? first.address : `${first.address}:${last.address}`;
  return first === last
    ? `row ${first.row + 1}, column ${first.column + 1}`
    : first.row === last.row
      ? `row ${first.row + 1}`
      : `rows ${first.row + 1}–${last.row + 1}`;
}
