import type { SystemResult } from '../../result.ts';
import { cell, type BenchBlock, type Spread, type TrajectoryChart, type MeasuredSet, tableHead } from '../block.ts';
import { shortenName } from '../write-values.ts';
import { quantile } from '@agonhq/engine/statistics';

const mostDebates = 3;
const mostSeats = 6;

/** How the seats move over the rounds, by the right label of the items: what a debate does. */
export function trajectoriesBlock({ result }: MeasuredSet): BenchBlock | null {
  const debates = result.systems
    .filter(({ kind }) => kind === 'debate')
    .flatMap((system) => {
      const chart = trajectoryOf(result, system);
      return chart ? [{ system, chart }] : [];
    });
  if (debates.length === 0) return null;
  const drawn = debates.slice(0, mostDebates);
  const columns = Math.max(...drawn.map(({ chart }) => chart.columns.length));
  const longest = drawn.find(({ chart }) => chart.columns.length === columns)!.chart.columns;
  return {
    title: 'Debate trajectories',
    lead:
      'How sure the seats are of the positive class over the rounds, by the right label: the mean, and around ' +
      'it the middle half of the items. The last column is the verdict.',
    charts: drawn.map(({ chart }) => chart),
    table: {
      head: [...tableHead('System | Right label | Seat', 'Items'), ...longest.map((column) => cell.number(column))],
      rows: drawn.flatMap(({ system, chart }) =>
        chart.panels.flatMap(({ label, items, series }) =>
          series.map((seat) => [
            cell.name(system.name),
            cell.name(label),
            cell.name(seat.name),
            cell.amount(items),
            // The verdict of a shorter debate stands under the verdict too.
            ...longest.map((column) => spreadCell(seat.points[chart.columns.indexOf(column)] ?? null)),
          ]),
        ),
      ),
    },
    folded: true,
    ...(drawn.length < debates.length && { notes: [`The first ${drawn.length} of ${debates.length} debates.`] }),
  };
}

function spreadCell(spread: Spread | null) {
  return {
    ...cell.amount(spread?.mean ?? null, (mean) => mean.toFixed(2)),
    ...(spread && { detail: `${spread.low.toFixed(2)}–${spread.high.toFixed(2)}` }),
  };
}

const verdict = 'verdict';

/** Null where no seat scores in two rounds. */
function trajectoryOf(result: MeasuredSet['result'], system: SystemResult): TrajectoryChart | null {
  const spoken = system.repeats.flatMap((outcomes) =>
    outcomes.flatMap((outcome, place) => {
      const gold = result.items[place]?.gold ?? null;
      return gold === null
        ? []
        : outcome.turns.flatMap(({ seat, round, score }) =>
            round === null || score === null ? [] : [{ gold, seat, round, score }],
          );
    }),
  );
  const rounds = [...new Set(spoken.map(({ round }) => round))].toSorted((a, b) => a - b);
  if (rounds.length < 2) return null;
  const seats = [...new Set(spoken.map(({ seat }) => seat))].slice(0, mostSeats);
  const verdicts = system.repeats.flatMap((outcomes) =>
    outcomes.flatMap(({ score }, place) => {
      const gold = result.items[place]?.gold ?? null;
      return score === null || gold === null ? [] : [{ gold, score }];
    }),
  );
  // By places and not by names, which may be of any length.
  const keyOf = (gold: string, seat: string, round: number) =>
    `${result.classes.indexOf(gold)}/${seats.indexOf(seat)}/${round}`;
  const scores = Map.groupBy(spoken, ({ gold, seat, round }) => keyOf(gold, seat, round));
  return {
    kind: 'trajectory',
    title: shortenName(system.name),
    columns: [...rounds.map((round) => `round ${round}`), verdict],
    panels: result.classes
      .map((gold) => ({
        label: gold,
        items: result.items.filter((item) => item.gold === gold).length,
        series: [
          ...seats.map((seat) => ({
            name: seat,
            points: [...rounds.map((round) => spreadOf(scores.get(keyOf(gold, seat, round)) ?? [])), null],
          })),
          { name: verdict, points: [...rounds.map(() => null), spreadOf(verdicts.filter((one) => one.gold === gold))] },
        ],
      }))
      .filter(({ items }) => items > 0),
  };
}

function spreadOf(values: readonly { score: number }[]): Spread | null {
  if (values.length === 0) return null;
  const scores = values.map(({ score }) => score);
  return {
    mean: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    low: quantile(scores, 0.25)!,
    high: quantile(scores, 0.75)!,
  };
}
