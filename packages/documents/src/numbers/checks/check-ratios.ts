import { draftFinding, formatFigure, listPlaces, formatValue, isWithin, type Draft } from './draft-finding.ts';
import { type GridLine, type NumberCell, type View, growthName, shareName } from '../tables/grid.ts';
import {
  dropComparison,
  isRateLine,
  listChangesAcross,
  listChangesAlong,
  listMargins,
  listShares,
  type CheckedFormula,
} from './list-formulas.ts';

const marginName =
  /margin|(?:%|percent(?:age)?) of (?:net )?(?:revenues?|sales)|as (?:a )?(?:%|percent(?:age)?) of|\bratio\b|\brate\b/i;

/** Growth, change, share and margin lines against the values they are computed from. */
export function checkRatios(view: View): Draft[] {
  const drafts: Draft[] = [];
  const amounts = view.lines.filter((line) => !isRateLine(view, line) && !growthName.test(dropComparison(line.label)));
  for (const line of view.lines) {
    const formulas: CheckedFormula[] = [];
    if (
      growthName.test(line.label) &&
      (!view.upright || isRateLine(view, line) || line.words.every((word) => growthName.test(word))) &&
      !/increases?\W{1,4}decreases?/i.test(line.label)
    )
      formulas.push(...listChangesAcross(view, line), ...listChangesAlong(view, line, amounts));
    if (shareName.test(line.label) && isRateLine(view, line) && !growthName.test(line.label))
      formulas.push(...listShares(view, amounts));
    if (marginName.test(line.label) && isRateLine(view, line) && !growthName.test(line.label))
      formulas.push(...listMargins(view, line, amounts));
    drafts.push(...checkBestFormula(view, line, formulas));
  }
  return drafts;
}

function checkBestFormula(view: View, line: GridLine, formulas: readonly CheckedFormula[]): Draft[] {
  const items = view.items
    .map(({ index }) => index)
    .filter((item) => view.at(line.index, item) !== undefined && !view.at(line.index, item)!.dash);
  const scored = formulas.map((formula) => {
    const results = items
      .map((item) => ({
        item,
        ...compareWith(view.at(line.index, item)!, formula, item),
      }))
      .filter((result) => result.outcome !== null);
    return { formula, results, held: results.filter(({ outcome }) => outcome === true).length };
  });
  const best = scored
    .filter(({ results }) => results.length > 0)
    .toSorted(
      (left, right) =>
        right.held - left.held ||
        Number(right.formula.plain) - Number(left.formula.plain) ||
        left.results.length - right.results.length,
    )[0];
  if (best === undefined) return [];
  const failed = best.results.length - best.held;
  const known =
    best.held >= 2
      ? failed <= Math.max(1, best.held / 3)
      : best.held === 1
        ? best.formula.plain && failed <= 1
        : best.formula.plain && best.results.length === 1;
  return best.results.flatMap(({ item, outcome, computed }) => {
    const stated = view.at(line.index, item)!;
    const elsewhere = scored.some(
      (other) =>
        other !== best &&
        (other.formula.plain || !best.formula.plain) &&
        (stated.unit === null || other.formula.check === best.formula.check) &&
        other.held > 0 &&
        other.results.some((result) => result.item === item && result.outcome === true),
    );
    if (
      outcome === false &&
      (!known || elsewhere || (best.formula.check === 'growth' && Math.abs(computed!.value) > 5))
    )
      return [];
    if (outcome === true && best.held < 2 && !best.formula.plain) return [];
    const name = [line.label, view.items[item]!.label].filter((text) => text !== '').join(', ');
    const scale = stated.shown === 0 ? 1 : stated.value / stated.shown;
    const value = best.formula.rate ? formatValue(computed!.value, true) : formatValue(computed!.value / scale);
    const statement = outcome
      ? `“${name}” follows from the values it is computed from.`
      : `“${name}” is stated as ${formatFigure(stated)}, its values give ${value}.`;
    return [
      draftFinding(
        best.formula.check,
        outcome === true,
        statement,
        `${computed!.arithmetic} = ${value}, stated ${formatFigure(stated)}`,
        listPlaces(view.grid, stated, ...computed!.cells),
        Math.abs(computed!.value - stated.value),
      ),
    ];
  });
}

function compareWith(
  stated: NumberCell,
  formula: CheckedFormula,
  item: number,
): { outcome: boolean | null; computed?: NonNullable<ReturnType<CheckedFormula['compute']>> } {
  const computed = formula.compute(item);
  if (
    computed === null ||
    !Number.isFinite(computed.value) ||
    computed.cells.some(({ dash, value }) => dash || value === 0)
  )
    return { outcome: null };
  const rate = stated.unit === '%' || stated.unit === 'pp';
  if (formula.rate) {
    if (!rate && (stated.unit !== null || Math.abs(stated.shown) > 500)) return { outcome: null };
    // A rate without a sign may be written as 15.3 or as 0.153.
    const readings = rate
      ? [[stated.value, stated.precision]]
      : [
          [stated.shown, stated.shownPrecision],
          [stated.shown / 100, stated.shownPrecision / 100],
        ];
    const isNear = (room: number): boolean =>
      readings.some(
        ([value, precision]) =>
          isWithin(value!, computed.value, room * precision! + computed.tolerance) ||
          (computed.cells.every((cell) => cell.value < 0) &&
            isWithin(-value!, computed.value, room * precision! + computed.tolerance)),
      );
    // Shares are cut off, or rounded so that they add up to a hundred: their last digit may be one off.
    return { outcome: isNear(1) || (formula.check === 'share' && isNear(2) ? null : false), computed };
  }
  if (stated.unit === '%') return { outcome: null };
  // Between the numbers of a spreadsheet nothing is rounded; how they are shown may be.
  const isExact = [stated, ...computed.cells].every(({ exact }) => exact !== null);
  const value = isExact && !isWithin(stated.value, computed.value, 0) ? stated.exact! : stated.value;
  const tolerance = isExact ? 0 : stated.precision + computed.tolerance;
  // The change of what is shown as negative is told either way.
  return {
    outcome:
      isWithin(value, computed.value, tolerance) ||
      (computed.cells.every((cell) => cell.value < 0) && isWithin(-value, computed.value, tolerance)),
    computed,
  };
}
