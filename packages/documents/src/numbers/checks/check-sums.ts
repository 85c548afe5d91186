import { draftFinding, formatFigure, listPlaces, isWithin, type Draft } from './draft-finding.ts';
import type { NumberCell, View } from '../tables/grid.ts';
import {
  findBridge,
  listCandidates,
  findFlatParts,
  isAmountLine,
  isOpening,
  isTotal,
  netName,
  isSummable,
  unsummable,
  wholeName,
  type SummandCandidate,
  areSiblings,
  isCompleteSum,
  isShifted,
  isKnownIdentity,
  isExplainedOtherwise,
  isPlausibleSum,
  itemName,
} from './find-summands.ts';

/** Totals, subtotals and nets against the lines they are made of. */
export function checkSums(view: View): Draft[] {
  const drafts: Draft[] = [];
  const consumed = new Set<number>();
  const amounts = view.lines.filter((line) => isAmountLine(view, line)).map(({ index }) => index);
  for (const target of amounts) {
    const line = view.lines[target]!;
    if (isOpening(line.label)) continue;
    const total = isTotal(view, line);
    const bridged = findBridge(view, target, amounts);
    if (
      !total &&
      !(
        view.upright &&
        (netName.test(line.label) ||
          bridged !== null ||
          (view.items.length >= 2 && wholeName.test(line.label) && !itemName.test(line.label)))
      )
    )
      continue;
    const items = view.items.filter((item) => isSummable(view, target, item)).map(({ index }) => index);
    if (items.length === 0) continue;
    const candidates = listCandidates(view, target, amounts, consumed, total);
    const scored = candidates.map((candidate) => ({
      candidate,
      held: items.filter((item) => checkSum(view, target, candidate, item)?.strong === true),
    }));
    const best = scored.toSorted(
      (left, right) =>
        right.held.length - left.held.length || Number(right.candidate.plain) - Number(left.candidate.plain),
    )[0];
    if (best === undefined) continue;
    const net = netName.test(line.label);
    const surprising = best.held.some(
      (item) =>
        Math.abs(view.at(target, item)!.value) >
        20 *
          candidates.filter(({ parts }) => parts.length <= best.candidate.parts.length).length *
          checkSum(view, target, best.candidate, item)!.tolerance,
    );
    const enough =
      (total && best.candidate.plain) ||
      ((total || net) && surprising) ||
      (best.held.length > 0 && isKnownIdentity(view, target, best.candidate)) ||
      (surprising &&
        (best.candidate.parts.length > 2 ||
          best.held.every(
            (item) =>
              Math.abs(view.at(target, item)!.value) > 500 * checkSum(view, target, best.candidate, item)!.tolerance,
          )) &&
        items.length < 3)
        ? 1
        : 2;
    if (best.held.length >= enough && (total || net || best.held.length * 2 >= items.length)) {
      for (const item of items) {
        const result = checkSum(view, target, best.candidate, item);
        if (result === null) continue;
        const elsewhere =
          !result.holds && scored.some(({ candidate }) => checkSum(view, target, candidate, item)?.holds === true);
        const failed = items
          .map((other) => checkSum(view, target, best.candidate, other))
          .filter((other) => other !== null)
          .filter((other) => !other.holds);
        const failures = failed.length;
        // The same gap twice is a part that was not read, not a wrong number.
        const lacking = failed.filter((other) => isWithin(other.gap, result.gap, result.tolerance)).length > 1;
        if (
          result.holds
            ? result.strong
            : result.nonzero > 1 &&
              !lacking &&
              !elsewhere &&
              !areSiblings(view, target, best.candidate) &&
              !isShifted(view, target, best.candidate) &&
              !isExplainedOtherwise(view, target, best.candidate, item) &&
              isCompleteSum(view, target, best.candidate, item, best.held) &&
              failures <= Math.max(1, best.held.length / 2)
        )
          drafts.push(draftSum(view, target, item, best.candidate, result));
      }
      for (const part of best.candidate.parts) if (part < target) consumed.add(part);
      continue;
    }
    const lone = items.filter((item) => !unsummable.test(view.items[item]!.label));
    const plain = lone.length !== 1 ? null : total ? findFlatParts(view, target, amounts, consumed) : bridged;
    if (plain !== null) {
      const item = lone[0]!;
      const result = checkSum(view, target, plain, item);
      if (
        result !== null &&
        !result.holds &&
        isPlausibleSum(view, target, plain, item) &&
        !scored.some(({ candidate }) => checkSum(view, target, candidate, item)?.holds === true)
      )
        drafts.push(draftSum(view, target, item, plain, result));
      for (const part of plain.parts) consumed.add(part);
    }
  }
  return drafts;
}

interface Result {
  holds: boolean;
  /** It holds, and not for want of numbers. */
  strong: boolean;
  nonzero: number;
  sum: number;
  gap: number;
  tolerance: number;
  cells: readonly { cell: NumberCell; sign: 1 | -1 }[];
}

function checkSum(view: View, target: number, { parts, signs }: SummandCandidate, item: number): Result | null {
  const total = view.at(target, item);
  if (total === undefined) return null;
  const cells: { cell: NumberCell; sign: 1 | -1 }[] = [];
  for (const [position, part] of parts.entries()) {
    const cell = view.at(part, item);
    if (cell === undefined) continue;
    if ((cell.unit === '%') !== (total.unit === '%')) return null;
    cells.push({ cell, sign: signs[position]! });
  }
  if (cells.length < 2) return null;
  const [sum, whole] = addUp(total, cells);
  const tolerance = cells.reduce((subtotal, { cell }) => subtotal + (cell.dash ? 0 : cell.precision), total.precision);
  const isExact = [total, ...cells.map(({ cell }) => cell)].every(({ exact }) => exact !== null);
  const holds = isWithin(sum, whole, isExact ? 0 : tolerance);
  const nonzero = cells.filter(({ cell }) => cell.value !== 0).length;
  return {
    holds,
    strong: holds && countUncancelled(cells) >= 2 && total.value !== 0 && Math.abs(total.value) > 20 * tolerance,
    nonzero,
    sum,
    gap: sum - whole,
    tolerance,
    cells,
  };
}

/** How many parts count: 16 − 16 + 2 = 2 shows no sum. */
function countUncancelled(cells: Result['cells']): number {
  const left: number[] = [];
  for (const { cell, sign } of cells) {
    const opposite = left.indexOf(-sign * cell.value);
    if (cell.value === 0) continue;
    if (opposite < 0) left.push(sign * cell.value);
    else left.splice(opposite, 1);
  }
  return left.length;
}

/**
 * The sum of some cells, and what it is held against: the numbers themselves where the file has them, unless those that
 * are shown add up, as they do where a total was rounded by a formula.
 */
function addUp(total: NumberCell, cells: Result['cells']): [sum: number, whole: number] {
  const shown = cells.reduce((subtotal, { cell, sign }) => subtotal + sign * cell.value, 0);
  if (total.exact === null || isWithin(shown, total.value, 0)) return [shown, total.value];
  let sum = 0;
  for (const { cell, sign } of cells) {
    if (cell.exact === null) return [shown, total.value];
    sum += sign * cell.exact;
  }
  return [sum, total.exact];
}

const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

function draftSum(
  view: View,
  target: number,
  item: number,
  candidate: SummandCandidate,
  { holds, sum, cells }: Result,
): Draft {
  const total = view.at(target, item)!;
  const scale = total.shown === 0 ? 1 : total.value / total.shown;
  const name = [view.lines[target]!.label, view.items[item]!.label].filter((text) => text !== '').join(', ');
  const terms = cells
    .map(
      ({ cell, sign }, position) =>
        `${position === 0 ? (sign < 0 ? '−' : '') : sign < 0 ? ' − ' : ' + '}${formatFigure(cell)}`,
    )
    .join('');
  const computed = digits.format(total.unit === '%' ? sum * 100 : sum / scale);
  const statement = holds
    ? `“${name}” is the sum of its parts.`
    : `“${name}” is stated as ${formatFigure(total)}, its parts come to ${computed}${total.unit === '%' ? ' %' : ''}.`;
  return draftFinding(
    candidate.plain ? 'sum' : 'difference',
    holds,
    statement,
    `${terms} = ${computed}${total.unit === '%' ? ' %' : ''}, stated ${formatFigure(total)}`,
    listPlaces(view.grid, total, ...cells.map(({ cell }) => cell)),
    Math.abs(sum - total.value),
  );
}
