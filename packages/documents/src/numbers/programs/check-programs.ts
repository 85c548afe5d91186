import { draftFinding, type Draft } from '../checks/draft-finding.ts';
import type { NumberPlace, NumberCheck } from '../finding.ts';
import { locateNumber, type Grid } from '../tables/grid.ts';
import { scanPeriods } from '../values/scan-periods.ts';
import { pattern } from '@agonhq/engine/text';
import { marginTops } from './known-words.ts';
import { TableNames } from './name-tables.ts';
import { hasOtherReading } from './other-readings.ts';
import { readStatement, type JudgedReading, type ReadStatement, type SaidNumber } from './read-statement.ts';
import { findNameWords, readTypedTable, type TypedTable, type Fact } from './typed-table.ts';
import { formatArithmetic, formatProgram, listFacts, measureGap } from './expression.ts';
import type { StatementKind } from './scope.ts';

/** A sentence with where it stands, and what it goes on about. */
export interface SpokenSentence extends SaidNumber {
  /** Null for a claim that is not in the dossier. */
  place: NumberPlace | null;
}

/** The tables of a dossier by the words that they know. */
export class TableIndex {
  readonly #byWord = new Map<string, Set<TypedTable>>();
  readonly #names = new TableNames();
  #hasUnnamed = false;
  readonly tables: TypedTable[] = [];

  constructor(grids: readonly Grid[]) {
    for (const grid of grids) {
      if (grid.rows.length > mostRows) continue;
      const table = readTypedTable(grid);
      this.tables.push(table);
      this.#hasUnnamed ||= table.isUnnamed;
      for (const word of new Set([...table.names.flatMap(({ words }) => words), ...table.title])) {
        const known = this.#byWord.get(word);
        if (known === undefined) this.#byWord.set(word, new Set([table]));
        else known.add(table);
      }
    }
  }

  /** What sentences call the tables that nothing else names. */
  learnNames(sentences: readonly SaidNumber[]): void {
    const asked = this.#hasUnnamed ? sentences.filter(({ text }) => asksForTable.test(text)) : [];
    this.#names.learn(asked, ({ text }) => this.find([text]));
  }

  /** Those that a sentence may speak of, as it calls them. */
  findFor({ text, before, mayBeLatest }: SaidNumber): TypedTable[] {
    // Most sentences of a long document state nothing that a table could know.
    if (!asksForTable.test(text)) return [];
    const found = this.find(mayBeLatest ? [text, ...before.slice(0, 1)] : [text], mayBeLatest ? mostTables : 4);
    return this.#hasUnnamed ? this.#names.callAll(text, found) : found;
  }

  /** Those that know most of a text's words. */
  find(texts: readonly string[], most = mostTables): TypedTable[] {
    const counts = new Map<TypedTable, number>();
    const said = texts.flatMap((text) =>
      findNameWords(text).flatMap(({ word }) => [word, ...(marginTops.get(word) ?? [])]),
    );
    for (const word of new Set(said)) {
      const tables = this.#byWord.get(word);
      for (const table of tables ?? []) counts.set(table, (counts.get(table) ?? 0) + 1 / Math.sqrt(tables!.size));
    }
    return [...counts]
      .toSorted(([, left], [, right]) => right - left)
      .slice(0, most)
      .map(([table]) => table);
  }
}

const mostTables = 8;
/** A longer table is a register: what is said of it is aggregated elsewhere. */
const mostRows = 2000;

/** What a sentence states, computed from the tables that know it; its findings are on its own words. */
export function checkSentence(sentence: SpokenSentence, index: TableIndex): { read: ReadStatement; drafts: Draft[] } {
  const { text, place } = sentence;
  const said: SaidNumber = { ...sentence, text: text.replace(/\s/g, ' ') };
  const read = readStatement(said, index.findFor(said));
  const isOpen = (reading: JudgedReading): boolean =>
    reading.outcome === 'conflict' && !said.mayBeLatest && hasOtherReading(reading, index.tables);
  const drafts = read.readings
    .filter((reading) => !isOpen(reading))
    .map((reading) => {
      const at =
        place === null
          ? null
          : { block: place.block, start: place.start + reading.start, end: place.start + reading.end };
      return draftProgram(reading, said.text, at);
    });
  return { read, drafts };
}

const asksForTable = pattern('iu')`
  \d|\b(?:ris\w+|rose|fell|fall\w*|gr[eo]w\w*|increas\w+|decreas\w+|declin\w+|dropp\w+|climb\w+|improv\w+|went|up|down
  |\p{L}+est|\p{L}+er than|more|less|fewer|most|least|first|second|third|last|peak\w*|half|twice|doubl\w+|majority|every
  |each|all|no|none|never|two|three|four|five|six|seven|eight|nine|ten|one|both|ahead|behind|exceed\w*|surpass\w*|led
  |flat|stable|unchanged|slipp\w*|eased|shrank|lagg\w*|trail\w*|out\p{L}+ed|gain\w*|lost)\b`;

const pointsBack =
  /^(?:it|this|these|they|its|their|that|there|such|the (?:\p{L}+ )?(?:segment|region|division|unit|figure|total|number|share|increase|decrease|result|latter|former|same))\b/iu;

/** Sentences of one block, each with what those before it and the heading say. */
export function placeInContext(
  sentences: readonly { text: string; place: NumberPlace }[],
  heading: string,
  isLong: boolean,
): SpokenSentence[] {
  let period = scanPeriods(heading).at(-1)?.period ?? null;
  return sentences.map(({ text, place }, index) => {
    const earlier = sentences.slice(Math.max(0, index - 2), index).map((one) => one.text);
    const spoken = {
      text,
      place,
      period: pointsBack.test(text) || isLong ? period : null,
      before: [...earlier.toReversed().slice(0, pointsBack.test(text) ? 2 : 1), heading].filter((one) => one !== ''),
      mayBeLatest: !isLong,
    };
    period = scanPeriods(text).at(0)?.period ?? period;
    return spoken;
  });
}

const checks: Partial<Record<StatementKind, NumberCheck>> = { level: 'statement-against-table', change: 'growth' };

/** A reading as a finding: the program, what its terms are bound to and why, and its arithmetic. */
function draftProgram(reading: JudgedReading, sentence: string, place: NumberPlace | null): Draft {
  const { outcome, proposition } = reading;
  const facts = listFacts(proposition);
  const check = nameCheck(reading);
  const quoted = sentence.length > 160 ? `${sentence.slice(0, 157)}…` : sentence;
  const words = sentence.slice(reading.start, reading.end).trim();
  const of = facts[0] === undefined ? 'the table' : `“${facts[0].name}”`;
  const statement = `“${words}” in “${quoted}” ${outcome === 'holds' ? 'follows from' : 'does not follow from'} ${of}.`;
  const cells = facts.slice(0, mostCells).map((fact) => locateNumber(fact.table.grid, fact.number));
  return {
    ...draftFinding(
      check,
      outcome === 'holds',
      statement,
      formatArithmetic(proposition),
      place === null ? cells : [place, ...cells],
      measureGap(proposition),
    ),
    program: formatProgram(proposition),
    bindings: facts.slice(0, mostCells).map((fact) => ({
      term: fact.name,
      place: locateNumber(fact.table.grid, fact.number),
      why: explainBinding(fact),
    })),
  };
}

/** What is wrong with it, where the digits tell: another unit, another period. */
function nameCheck({ kind, outcome, proposition }: JudgedReading): NumberCheck {
  if (proposition.op === 'every') return checks[kind] ?? (kind as NumberCheck);
  const { left, right } = proposition;
  if (kind === 'change' && left.op === 'difference') return 'difference';
  if (kind === 'level' && left.op === 'ratio') return 'margin';
  if (kind === 'level' && outcome === 'conflict' && left.op === 'cell' && right.op === 'stated') {
    const agrees = (value: number): boolean => Math.abs(Math.abs(value) - Math.abs(right.value)) <= right.precision;
    const { fact } = left;
    if (right.value === Number.MAX_VALUE || [1e3, 1e-3, 1e6, 1e-6].some((power) => agrees(fact.number.value * power)))
      return 'units';
    const isSibling = (other: Fact): boolean =>
      other !== fact &&
      other.number.period !== fact.number.period &&
      (other.row === fact.row || other.column === fact.column);
    if (fact.table.facts.some((other) => isSibling(other) && agrees(other.number.value))) return 'period';
  }
  return checks[kind] ?? (kind as NumberCheck);
}

/** More are not shown one by one. */
const mostCells = 24;

function explainBinding({ row, column, number, table }: Fact): string {
  const scale = number.shown === 0 ? 1 : Math.abs(number.value / number.shown);
  return [
    row.label === '' ? '' : `row “${row.label}”`,
    column.label === '' ? '' : `column “${column.label}”`,
    row.group === '' ? '' : `under “${row.group}”`,
    (table.grid.block.table?.caption ?? '') === '' ? '' : `of “${table.grid.block.table!.caption}”`,
    number.unit === null ? '' : `in ${number.unit}`,
    scale > 1 ? `times ${Math.round(scale).toLocaleString('en-US')}` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}
