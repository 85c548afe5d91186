import { formatScore } from '../components/score.tsx';
import type { TrialView } from './trial-view.ts';
import { seatName } from './trial-words.ts';

export interface Series {
  name: string;
  tone: 'risk' | 'exoneration' | 'implicit' | 'both' | 'ink';
  shape: 'circle' | 'square' | 'diamond';
  points: readonly { column: number; value: number; standIn: boolean }[];
}

export interface ScoreSeries {
  columns: readonly string[];
  series: readonly Series[];
}

const seriesLooks: Record<string, Pick<Series, 'tone' | 'shape'>> = {
  'strict-debater': { tone: 'risk', shape: 'circle' },
  'loose-debater': { tone: 'exoneration', shape: 'square' },
  auditor: { tone: 'risk', shape: 'circle' },
  detector: { tone: 'implicit', shape: 'square' },
  critic: { tone: 'both', shape: 'diamond' },
};

/** The scores of all who argue, round by round, and the verdict's. */
export function collectScores({ turns, verdict }: Pick<TrialView, 'turns' | 'verdict'>): ScoreSeries {
  const spoken = [...turns.values()].filter(
    ({ round, score, seat }) => round !== null && score !== null && seat !== 'control',
  );
  const rounds = [...new Set(spoken.map(({ round }) => round!))].toSorted((one, other) => one - other);
  const columnOf = new Map(rounds.map((round, column) => [round, column]));
  const bySeat = Map.groupBy(spoken, ({ seat }) => seat);
  const series = [...bySeat].map(([seat, own]): Series => ({
    name: seatName(seat),
    ...(Object.hasOwn(seriesLooks, own[0]!.role)
      ? seriesLooks[own[0]!.role]!
      : { tone: 'ink' as const, shape: 'circle' as const }),
    points: own.map(({ round, score, fallback }) => ({
      column: columnOf.get(round!)!,
      value: score!,
      standIn: fallback !== null,
    })),
  }));
  const decided = verdict !== null && verdict.score !== null;
  return {
    columns: [...rounds.map((round) => `Round ${round}`), ...(decided ? ['Verdict'] : [])],
    series: [
      ...series,
      ...(decided
        ? [
            {
              name: 'Verdict',
              tone: 'ink' as const,
              shape: 'diamond' as const,
              points: [{ column: rounds.length, value: verdict.score!, standIn: false }],
            },
          ]
        : []),
    ],
  };
}

/** The same in words. */
export function describeScores({ columns, series }: ScoreSeries): string {
  return series
    .map(
      ({ name, points }) =>
        `${name}: ${points.map(({ column, value, standIn }) => `${columns[column]} ${formatScore(value)}${standIn ? ' (stand-in)' : ''}`).join(', ')}.`,
    )
    .join(' ');
}
