import { useMemo } from 'react';
import { viewVerdictRisk, type RiskView } from '@agonhq/engine/view';
import { findRiskTone, showScore } from '../components/bars.tsx';
import { DataTable, type TableColumn } from '../components/table.tsx';
import { classes, fills, type SeriesTone, strokes } from '../components/tones.ts';
import { useReport } from '../report/report-context.ts';
import { findSeatRole, type TrialView } from './trial-view.ts';

const width = 360;
const height = 140;
const plot = { left: 40, right: width - 14, top: 10, bottom: height - 24 };
const mostLabels = 7;
const mostPoints = 30;

/**
 * Everybody's scores over the rounds, up to the verdict: a small drawing, and its words for those who do not see it.
 */
export function ScoreChart({ view }: { view: ChartedTrial }) {
  const { job, turns, verdict } = view;
  const scores = useMemo(() => collectScores({ job, turns, verdict }), [job, turns, verdict]);
  const { columns, series, bar } = scores;
  const report = useReport();
  if (series.length === 0) return null;
  const across = (column: number) =>
    columns.length < 2
      ? (plot.left + plot.right) / 2
      : plot.left + 12 + ((plot.right - plot.left - 36) * column) / (columns.length - 1);
  const up = (value: number) => plot.bottom - (plot.bottom - plot.top) * Math.min(1, Math.max(0, value));
  const every = Math.ceil(columns.length / mostLabels);
  const decided = columns.at(-1) === 'Verdict';
  const isLabelled = (index: number) =>
    (decided && index === columns.length - 1) ||
    (index % every === 0 && (!decided || index <= columns.length - 1 - every));
  return (
    <figure className={report ? 'grid items-center gap-6 md:grid-cols-2' : 'grid gap-2'}>
      <div className="grid gap-2">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${job.terms.isRisk ? 'Risk' : 'Score'}, round by round. ${describeScores(scores)}`}
          className="w-full max-w-xl"
        >
          {(bar === null ? [0, 0.5, 1] : [0, 1]).map((value) => (
            <g key={value}>
              <line
                x1={plot.left}
                x2={plot.right}
                y1={up(value)}
                y2={up(value)}
                className="stroke-line"
                strokeDasharray={value === 0.5 ? '3 3' : undefined}
              />
              <text x={plot.left - 6} y={up(value) + 4.5} textAnchor="end" className="fill-quiet text-[13px]">
                {value}
              </text>
            </g>
          ))}
          {bar !== null && (
            <g>
              <line
                x1={plot.left}
                x2={plot.right}
                y1={up(bar.bar)}
                y2={up(bar.bar)}
                className="stroke-ink"
                strokeDasharray="3 3"
              />
              <text x={plot.left - 6} y={up(bar.bar) + 4.5} textAnchor="end" className="fill-ink text-[13px]">
                {bar.barText}
              </text>
            </g>
          )}
          {columns.map(
            (column, index) =>
              isLabelled(index) && (
                <text
                  key={column}
                  x={across(index)}
                  y={height - 6}
                  textAnchor="middle"
                  className="fill-quiet text-[13px]"
                >
                  {column === 'Verdict' ? column : column.replace('Round ', columns.length > 4 ? '' : 'Round ')}
                </text>
              ),
          )}
          {series.map(({ name, tone, shape, points }) => (
            <g key={name}>
              <polyline
                points={points.map(({ column, value }) => `${across(column)},${up(value)}`).join(' ')}
                className={classes('fill-none', strokes[tone])}
                strokeWidth="1.75"
              />
              {(points.length <= mostPoints ? points : points.slice(-1)).map(({ column, value, risk, standIn }) => {
                const own = risk ? findRiskTone(risk) : tone;
                return (
                  <Point
                    key={column}
                    shape={shape}
                    x={across(column)}
                    y={up(value)}
                    className={classes(strokes[own], standIn ? 'fill-surface' : fills[own])}
                  />
                );
              })}
            </g>
          ))}
        </svg>
        <figcaption aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
          {series.map(({ name, tone, shape }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <svg viewBox="0 0 10 10" className="size-2.5">
                <Point shape={shape} x={5} y={5} className={classes(strokes[tone], fills[tone])} />
              </svg>
              {name}
            </span>
          ))}
          {bar !== null && <span>From the bar of {bar.barText} on red, below it green.</span>}
        </figcaption>
      </div>
      {report && <ScoreTable scores={scores} title={job.terms.isRisk ? 'Risk' : 'Score'} />}
    </figure>
  );
}

/** What the drawing shows, as a table. */
function ScoreTable({ scores: { columns, series }, title }: { scores: ScoreSeries; title: string }) {
  const show = ({ points }: Series, at: number) => {
    const point = points.find(({ column }) => column === at);
    return point && `${point.risk?.text ?? showScore(point.value)}${point.standIn ? ' (fallback)' : ''}`;
  };
  return (
    <DataTable
      label={`${title}, round by round`}
      rows={series}
      columns={[
        [title, ({ name }) => name],
        ...columns.map((name, at): TableColumn<Series> => [name, (one) => show(one, at), 'tabular-nums']),
      ]}
    />
  );
}

function Point({ shape, x, y, className }: { shape: Series['shape']; x: number; y: number; className: string }) {
  if (shape === 'circle') return <circle cx={x} cy={y} r={3.5} className={className} />;
  if (shape === 'square') return <rect x={x - 3.25} y={y - 3.25} width={6.5} height={6.5} className={className} />;
  return <path d={`M${x} ${y - 4.75}L${x + 4.75} ${y}L${x} ${y + 4.75}L${x - 4.75} ${y}Z`} className={className} />;
}

interface Series {
  name: string;
  tone: SeriesTone;
  shape: 'circle' | 'square' | 'diamond';
  points: readonly { column: number; value: number; risk: RiskView | null; standIn: boolean }[];
}

interface ScoreSeries {
  columns: readonly string[];
  series: readonly Series[];
  /** The bar that all of them are held against; null where scores are no risks. */
  bar: RiskView | null;
}

type ChartedTrial = Pick<TrialView, 'job' | 'turns' | 'verdict'>;

/** The scores of all who argue, round by round, and the verdict's. */
export function collectScores({ job, turns, verdict }: ChartedTrial): ScoreSeries {
  const spoken = [...turns.values()].filter(
    ({ round, score, seat }) => round !== null && score !== null && seat !== 'control',
  );
  const rounds = [...new Set(spoken.map(({ round }) => round!))].toSorted((one, other) => one - other);
  const columnOf = new Map(rounds.map((round, column) => [round, column]));
  const bySeat = Map.groupBy(spoken, ({ seat }) => seat);
  const series = [...bySeat].map(([seat, own]): Series => {
    const { tone = 'ink', shape = 'circle' } = findSeatRole(job, own[0]!.role);
    const isRisk = own.some(({ risk }) => risk !== null);
    return {
      name: job.terms.describeSeat({ seat, round: null }),
      // A risk has its own colour, point by point; its line has none that could be taken for it.
      tone: isRisk ? 'quiet' : tone,
      shape,
      points: own.map(({ round, score, risk, fallback }) => ({
        column: columnOf.get(round!)!,
        value: risk?.value ?? score!,
        risk,
        standIn: fallback !== null,
      })),
    };
  });
  const risk = verdict && viewVerdictRisk(verdict);
  const value = risk?.value ?? verdict?.score ?? null;
  const decided = value !== null;
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
              points: [{ column: rounds.length, value, risk, standIn: false }],
            },
          ]
        : []),
    ],
    bar: risk ?? spoken.find((turn) => turn.risk !== null)?.risk ?? null,
  };
}

/** The same in words. */
export function describeScores({ columns, series }: ScoreSeries): string {
  return series
    .map(({ name, points }) => {
      const scores = points.map(
        ({ column, value, standIn }) => `${columns[column]} ${showScore(value)}${standIn ? ' (fallback)' : ''}`,
      );
      return `${name}: ${scores.join(', ')}.`;
    })
    .join(' ');
}
