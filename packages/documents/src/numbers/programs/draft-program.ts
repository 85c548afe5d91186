import { draftFinding, type Draft } from '../checks/draft-finding.ts';
import type { NumberCheck, NumberPlace } from '../finding.ts';
import { locateNumber } from '../tables/grid.ts';
import { formatArithmetic, formatProgram, listFacts, measureGap } from './expression.ts';
import type { JudgedReading } from './read-statement.ts';
import type { StatementKind } from './scope.ts';
import type { Fact } from './typed-table.ts';

const checks: Partial<Record<StatementKind, NumberCheck>> = { level: 'statement-against-table', change: 'growth' };

/** A reading as a finding: the program, what its terms are bound to and why, and its arithmetic. */
export function draftProgram(reading: JudgedReading, sentence: string, place: NumberPlace | null): Draft {
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
