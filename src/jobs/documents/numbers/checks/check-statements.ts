import { checkChange, checkDirection } from './check-change.ts';
import { checkLevel } from './check-level.ts';
import { checkShare } from './check-share.ts';
import type { Draft } from './draft-finding.ts';
import type { CellIndex } from './match-cells.ts';
import type { PlacedStatement } from './placed-statement.ts';

const checks = { level: checkLevel, share: checkShare, change: checkChange, direction: checkDirection };

/**
 * One statement against the tables. Where it is sure what it speaks of, another cell with the same value explains
 * nothing.
 */
export function checkStatement(placed: PlacedStatement, index: CellIndex, sure = false): Draft[] {
  const { statement } = placed;
  return checks[statement.role](placed, index).filter(
    ({ outcome, check }) =>
      outcome === 'holds' ||
      sure ||
      statement.role === 'direction' ||
      check === 'units' ||
      (check === 'direction' && !placed.several) ||
      !index.explains(statement, statement.value, statement.precision),
  );
}
