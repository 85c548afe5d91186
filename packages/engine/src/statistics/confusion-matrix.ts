import { kappaOf } from './agreement.ts';
import { countEachOnce, type ResampleWeights } from './bootstrap.ts';
import { meanOf, ratio } from './summaries.ts';

/** How often what was right and what was said met, for one class against all others. */
export interface Confusion {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
  /** Broken lines: errors that belong to no class. */
  unreadable: number;
}

export const noConfusion: Readonly<Confusion> = {
  truePositives: 0,
  falsePositives: 0,
  falseNegatives: 0,
  trueNegatives: 0,
  unreadable: 0,
};

export function accuracy({
  truePositives,
  falsePositives,
  falseNegatives,
  trueNegatives,
  unreadable,
}: Confusion): number | null {
  const right = truePositives + trueNegatives;
  return ratio(right, right + falsePositives + falseNegatives + unreadable);
}

export function precision({ truePositives, falsePositives }: Confusion): number | null {
  return ratio(truePositives, truePositives + falsePositives);
}

export function recall({ truePositives, falseNegatives }: Confusion): number | null {
  return ratio(truePositives, truePositives + falseNegatives);
}

/** It weighs an error the same whichever class it falls into, so that a broken line can count as one. */
export function f1({ truePositives, falsePositives, falseNegatives, unreadable }: Confusion): number | null {
  return ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives + unreadable);
}

/** How often which class was right and which was said. */
export interface ConfusionMatrix {
  /** By the right class, then by the class that was said; what is no class (undecided, failed) comes last in a row. */
  rows: readonly (readonly number[])[];
  /** Items without a right class: errors that belong to none. */
  broken: number;
  /**
   * Whether an item that nobody decided is a false alarm of the classes that it does not have, as it is where one
   * class is positive; else no class was named.
   */
  alarms: boolean;
}

/** Items as places in a confusion matrix: placed once, counted for every resample. */
export interface MatrixPlaces {
  classes: number;
  alarms: boolean;
  /** Row by row; then broken lines; then what is left out. */
  cells: Uint16Array;
}

export interface LabelPair {
  gold: string | null;
  said: string;
}

export interface MatrixRule {
  classes: readonly string[];
  /** Whether items that nobody decided, and broken lines, are left out; else they are errors. */
  leaveOut: boolean;
  alarms: boolean;
}

/** Null stands for an item that is left out in any case. */
export function placeInMatrix(
  pairs: readonly (LabelPair | null)[],
  { classes, leaveOut, alarms }: MatrixRule,
): MatrixPlaces {
  const places = new Map(classes.map((label, place) => [label, place]));
  const none = classes.length;
  const broken = none * (none + 1);
  const cells = pairs.map((pair) => {
    if (pair === null) return broken + 1;
    const row = pair.gold === null ? undefined : places.get(pair.gold);
    const column = places.get(pair.said) ?? none;
    if (leaveOut && (row === undefined || column === none)) return broken + 1;
    return row === undefined ? broken : row * (none + 1) + column;
  });
  return { classes: none, alarms, cells: Uint16Array.from(cells) };
}

export function countMatrix(
  { classes, alarms, cells }: MatrixPlaces,
  weights: ResampleWeights = countEachOnce(cells.length),
): ConfusionMatrix {
  const broken = classes * (classes + 1);
  const counts = Array<number>(broken + 2).fill(0);
  for (let item = 0; item < cells.length; item++) counts[cells[item]!]! += weights[item]!;
  const rows: number[][] = [];
  for (let cell = 0; cell < broken; cell += classes + 1) rows.push(counts.slice(cell, cell + classes + 1));
  return { rows, broken: counts[broken]!, alarms };
}

/** How many items the matrix counts. */
export function matrixItems({ rows, broken }: ConfusionMatrix): number {
  return rows.reduce((total, row) => total + sum(row), broken);
}

export function matrixAccuracy(matrix: ConfusionMatrix): number | null {
  return ratio(
    matrix.rows.reduce((total, row, label) => total + row[label]!, 0),
    matrixItems(matrix),
  );
}

export interface ClassFigures {
  items: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

export function classFigures(matrix: ConfusionMatrix, label: number): ClassFigures {
  const { truePositives, falsePositives, falseNegatives } = oneAgainstAll(matrix, label);
  const items = truePositives + falseNegatives;
  return {
    items,
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, items),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
  };
}

/** The mean over the classes that the items have. */
export function macroF1(matrix: ConfusionMatrix): number | null {
  return meanOf(classesPresent(matrix).map((label) => classFigures(matrix, label).f1));
}

/** The mean recall over the classes that the items have. */
export function balancedAccuracy(matrix: ConfusionMatrix): number | null {
  return meanOf(classesPresent(matrix).map((label) => ratio(matrix.rows[label]![label]!, sum(matrix.rows[label]!))));
}

/** How many items the class has that fewest have. */
export function rarestClass({ rows }: ConfusionMatrix): number {
  return Math.min(...rows.map(sum).filter((items) => items > 0));
}

/** Agreement with the right class beyond chance (Cohen's kappa); broken lines have none to agree with. */
export function matrixKappa({ rows }: ConfusionMatrix): number | null {
  return kappaOf([...rows, (rows[0] ?? []).map(() => 0)]);
}

export function oneAgainstAll({ rows, broken, alarms }: ConfusionMatrix, label: number): Confusion {
  const none = rows.length;
  const confusion: Confusion = { ...noConfusion, unreadable: broken };
  rows.forEach((row, right) => {
    const named = row[label]! + (alarms && right !== label ? row[none]! : 0);
    confusion[right === label ? 'truePositives' : 'falsePositives'] += named;
    confusion[right === label ? 'falseNegatives' : 'trueNegatives'] += sum(row) - named;
  });
  return confusion;
}

function classesPresent({ rows }: ConfusionMatrix): number[] {
  return rows.flatMap((row, label) => (sum(row) > 0 ? [label] : []));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
