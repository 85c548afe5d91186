import type { Confusion } from './confusion.ts';
import { kappaOf } from './kappa.ts';
import { meanOf } from './mean.ts';
import { ratio } from './ratio.ts';
import { eachOnce, type Weights } from './resamples.ts';

/** How often which class was right and which was said. */
export interface ClassTable {
  /** By the right class, then by the class that was said; what is no class (undecided, failed) comes last in a row. */
  rows: readonly (readonly number[])[];
  /** Items without a right class: errors that belong to none. */
  broken: number;
  /**
   * Whether an item that nobody decided is a false alarm of the classes that it does not have, as it is where one
   * class is positive (see `cellOf`); else no class was named.
   */
  alarms: boolean;
}

/** Items as places in a table of classes. */
export interface ClassCells {
  classes: number;
  alarms: boolean;
  /** Row by row; then broken lines; then what is left out. */
  cells: Uint16Array;
}

export interface Judgement {
  gold: string | null;
  said: string;
}

export interface ClassRule {
  classes: readonly string[];
  /** Whether items that nobody decided, and broken lines, are left out; else they are errors. */
  leaveOut: boolean;
  alarms: boolean;
}

/** Null stands for an item that is left out in any case. */
export function classCells(
  judgements: readonly (Judgement | null)[],
  { classes, leaveOut, alarms }: ClassRule,
): ClassCells {
  const places = new Map(classes.map((label, place) => [label, place]));
  const none = classes.length;
  const broken = none * (none + 1);
  const cells = judgements.map((judgement) => {
    if (judgement === null) return broken + 1;
    const { gold, said } = judgement;
    const row = gold === null ? undefined : places.get(gold);
    const column = places.get(said) ?? none;
    if (leaveOut && (row === undefined || column === none)) return broken + 1;
    return row === undefined ? broken : row * (none + 1) + column;
  });
  return { classes: none, alarms, cells: Uint16Array.from(cells) };
}

export function classTable(
  { classes, alarms, cells }: ClassCells,
  weights: Weights = eachOnce(cells.length),
): ClassTable {
  const broken = classes * (classes + 1);
  const counts = Array<number>(broken + 2).fill(0);
  for (let item = 0; item < cells.length; item++) counts[cells[item]!]! += weights[item]!;
  const rows: number[][] = [];
  for (let cell = 0; cell < broken; cell += classes + 1) rows.push(counts.slice(cell, cell + classes + 1));
  return { rows, broken: counts[broken]!, alarms };
}

/** How many items the table counts. */
export function itemsIn({ rows, broken }: ClassTable): number {
  return rows.reduce((total, row) => total + sum(row), broken);
}

export function tableAccuracy(table: ClassTable): number | null {
  return ratio(
    table.rows.reduce((total, row, label) => total + row[label]!, 0),
    itemsIn(table),
  );
}

export interface ClassFigures {
  items: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

export function figuresOfClass(table: ClassTable, label: number): ClassFigures {
  const { truePositives, falsePositives, falseNegatives } = confusionAbout(table, label);
  const items = truePositives + falseNegatives;
  return {
    items,
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, items),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
  };
}

/** The mean over the classes that the items have. */
export function macroF1(table: ClassTable): number | null {
  return meanOf(classesIn(table).map((label) => figuresOfClass(table, label).f1));
}

/** The mean recall over the classes that the items have. */
export function balancedAccuracy(table: ClassTable): number | null {
  return meanOf(classesIn(table).map((label) => ratio(table.rows[label]![label]!, sum(table.rows[label]!))));
}

/** Agreement with the right class beyond chance (Cohen's kappa); broken lines have none to agree with. */
export function tableKappa({ rows }: ClassTable): number | null {
  return kappaOf([...rows, (rows[0] ?? []).map(() => 0)]);
}

/** One class against all others. */
export function confusionAbout({ rows, broken, alarms }: ClassTable, label: number): Confusion {
  const none = rows.length;
  const confusion: Confusion = {
    truePositives: 0,
    falsePositives: 0,
    falseNegatives: 0,
    trueNegatives: 0,
    unreadable: broken,
  };
  rows.forEach((row, right) => {
    const named = row[label]! + (alarms && right !== label ? row[none]! : 0);
    confusion[right === label ? 'truePositives' : 'falsePositives'] += named;
    confusion[right === label ? 'falseNegatives' : 'trueNegatives'] += sum(row) - named;
  });
  return confusion;
}

function classesIn({ rows }: ClassTable): number[] {
  return rows.flatMap((row, label) => (sum(row) > 0 ? [label] : []));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
