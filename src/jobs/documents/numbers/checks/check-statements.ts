import { checkChange, checkDirection } from './check-change.ts';
import { checkLevel } from './check-level.ts';
import { checkShare } from './check-share.ts';
import type { Draft, PlacedStatement } from './draft-finding.ts';
import type { CellIndex, Match } from './match-cells.ts';
import type { Line } from '../tables/grid.ts';
import { isSamePeriod } from '../values/scan-periods.ts';
import type { Statement } from '../statements/read-statements.ts';

/** All that is stated against the tables, sentence by sentence. */
export function checkStatements(statements: readonly PlacedStatement[], index: CellIndex): Draft[] {
  const bySentence = Map.groupBy(statements, ({ place, sentence }) => `${place?.block}:${sentence}`);
  return [...bySentence.values()].flatMap((together) => {
    const alone = together.map((one) => ({ one, drafts: checkStatement(one, index) }));
    const anchors = alone.flatMap(({ one, drafts }) => findAnchor(one, drafts, index));
    return dropRepeatedDirections(
      alone.map(({ one, drafts }) => ({
        one,
        drafts: drafts.length > 0 ? drafts : checkAnchored(one, anchors, index),
      })),
    );
  });
}

/** Cells that a statement was found to speak of. */
interface Anchor {
  statement: Statement;
  now: Match;
  base: Match | undefined;
}

/** A statement that agrees with its cells, and not by chance, says what the others of its sentence are about. */
function findAnchor({ statement }: PlacedStatement, drafts: readonly Draft[], index: CellIndex): Anchor[] {
  const [held] = drafts;
  if (
    held?.outcome !== 'holds' ||
    statement.loose ||
    Math.abs(statement.value) < (statement.unit === '%' ? 15 : 50) * statement.precision
  )
    return [];
  const [now, base] = held.places.filter(({ cell }) => cell !== undefined).map((place) => index.at(place));
  return now === undefined || (held.check !== 'growth' && held.check !== 'statement-against-table')
    ? []
    : [{ statement, now, base }];
}

/** "Net sales rose by $147 million, or 4 %": what one number is known to be of, the other is of, too. */
function checkAnchored(placed: PlacedStatement, anchors: readonly Anchor[], index: CellIndex): Draft[] {
  const { statement } = placed;
  const anchor = anchors.find(
    (one) =>
      one.statement !== statement &&
      one.statement.metric === statement.metric &&
      one.statement.modifiers.join() === statement.modifiers.join(),
  );
  if (anchor === undefined || statement.role === 'share' || statement.role === 'direction') return [];
  const { now, base } = anchor;
  const line: Line = now.row.period === null ? now.row : now.column;
  const dated = anchor.statement.role === 'change' || statement.role === 'change';
  const known: Statement = {
    ...statement,
    period: statement.period ?? (dated ? now.number.period : null),
    base: statement.base ?? base?.number.period ?? null,
  };
  // A second value of one period is of a part, or of something else.
  const again =
    statement.role === 'level' &&
    anchor.statement.role === 'level' &&
    known.period !== null &&
    now.number.period !== null &&
    isSamePeriod(known.period, now.number.period);
  return known.period === null || again
    ? []
    : checkStatement({ ...placed, statement: known, several: false }, index.within(new Set([line])), true);
}

/** "Fell by 5 %" says a direction and a change of the same cells: that is one finding. */
function dropRepeatedDirections(found: readonly { one: PlacedStatement; drafts: readonly Draft[] }[]): Draft[] {
  const cells = ({ places }: Draft): string =>
    places
      .filter(({ cell }) => cell !== undefined)
      .map(({ block, start }) => `${block}:${start}`)
      .join();
  const changed = new Set(
    found
      .filter(({ one }) => one.statement.role === 'change')
      .flatMap(({ drafts }) => drafts)
      .map(cells),
  );
  return found.flatMap(({ one, drafts }) =>
    one.statement.role === 'direction' ? drafts.filter((draft) => !changed.has(cells(draft))) : drafts,
  );
}

const checks = { level: checkLevel, share: checkShare, change: checkChange, direction: checkDirection };

/** Where it is sure what a statement speaks of, another cell with the same value explains nothing. */
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
