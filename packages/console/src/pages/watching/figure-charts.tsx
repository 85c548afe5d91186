import { useNavigate } from '@tanstack/react-router';
import type { SentWatchReport } from '../../api/client.ts';
import { showCount, showPercent } from '../../charts/format-figures.ts';
import { ChartFigure, DayLines, StackedDays } from '../../charts/index.ts';
import { TextLink } from '../../components/button.tsx';
import { type TableColumn, DataTable } from '../../components/table.tsx';
import { findCases, nameGroup, type WatchChoice } from './watch-choice.ts';

type Counts = SentWatchReport['whole']['points'][number];
type Step = SentWatchReport['steps'][number];

/** As many as can be told apart. */
const colours = ['implicit', 'risk', 'both', 'exoneration', 'caution'] as const;

interface ChartProps {
  data: SentWatchReport;
  choice: WatchChoice;
}

function nameStep({ step }: WatchChoice, from: string): string {
  const moment = new Date(from);
  if (step === 'hour')
    return moment.toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  return moment.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
}

/** The groups that are drawn: those with the most cases, or all cases together. */
function listSeries({ groups, whole }: SentWatchReport, { by, value }: WatchChoice) {
  return by && value === undefined && groups.length > 0 ? groups.slice(0, colours.length) : [whole];
}

/** Leads to the cases of a step. */
function useOpenCases({ data, choice }: ChartProps, search: Record<string, string>) {
  const navigate = useNavigate();
  return (place: number) => {
    const step = data.steps[place];
    if (step)
      void navigate({ to: '/cases', search: { ...findCases(choice, choice.value ?? '', step), ...search } as never });
  };
}

interface ShareProps extends ChartProps {
  title: string;
  lead: string;
  read: (counts: Counts) => number | null;
  write?: (value: number) => string;
  /** What else the cases behind it have in common. */
  search?: Record<string, string>;
}

/** A figure over time, a line for each group. */
export function ShareOverTime(props: ShareProps) {
  const { title, lead, data, choice, read, write = showPercent, search = {} } = props;
  const open = useOpenCases({ data, choice }, search);
  const series = listSeries(data, choice);
  const { by } = choice;
  const label = (value: string) => (series.length === 1 && by === undefined ? title : nameGroup(by, value));
  const known = data.steps
    .map((step, place) => ({ step, place }))
    .filter(({ place }) => data.whole.points[place]!.cases);
  const last = known.at(-1);
  const latest = last ? read(data.whole.points[last.place]!) : null;
  return (
    <ChartFigure
      title={title}
      lead={lead}
      summary={
        `${title} over time. ` + (latest === null ? 'Nothing is known yet.' : `Last, of all cases: ${write(latest)}.`)
      }
      table={
        <DataTable
          label={`${title} over time`}
          rows={known}
          columns={[
            stepColumn(choice, search),
            ...series.map(({ value, points }): TableColumn<{ step: Step; place: number }> => [
              label(value),
              ({ place }) => {
                const figure = read(points[place]!);
                return figure === null ? '–' : write(figure);
              },
              'tabular-nums',
            ]),
            ['Cases', ({ place }) => showCount(data.whole.points[place]!.cases), 'tabular-nums'],
          ]}
        />
      }
    >
      <DayLines
        days={data.steps.map(({ from }) => from)}
        lines={series.map(({ value, points }, index) => ({
          name: label(value),
          colour: `var(--${colours[index]})`,
          dashed: index % 2 === 1,
          values: points.map(read),
        }))}
        write={write}
        writeDay={(from) => nameStep(choice, from)}
        onPick={open}
      />
    </ChartFigure>
  );
}

function stepColumn(choice: WatchChoice, search: Record<string, string>): TableColumn<{ step: Step }> {
  return [
    'Time',
    ({ step }) => (
      <TextLink to="/cases" search={{ ...findCases(choice, choice.value ?? '', step), ...search } as never}>
        {nameStep(choice, step.from)}
      </TextLink>
    ),
  ];
}

/** Fifths of the risk, from none to all. */
const bands = [
  ['0 to 0.2', 'exoneration'],
  ['0.2 to 0.4', 'implicit'],
  ['0.4 to 0.6', 'caution'],
  ['0.6 to 0.8', 'both'],
  ['0.8 to 1', 'risk'],
] as const;

/** How the risk of all cases is distributed, over time. */
export function RiskOverTime({ data, choice }: ChartProps) {
  const open = useOpenCases({ data, choice }, {});
  const count = ({ tenths }: Counts, band: number) => tenths[2 * band]! + tenths[2 * band + 1]!;
  const known = data.steps
    .map((step, place) => ({ step, place }))
    .filter(({ place }) => data.whole.points[place]!.cases);
  const { risk, tenths, cases } = data.whole;
  const high = tenths.slice(8).reduce((sum, part) => sum + part, 0);
  return (
    <ChartFigure
      title="Risk"
      lead="Cases by risk: the stated probability, else the score."
      summary={
        `Risk over time. ${risk === null ? 'Nothing is known yet.' : `The mean is ${risk.toFixed(2)}; `}` +
        `${showPercent(cases === 0 ? null : high / cases)} of the cases are above 0.8.`
      }
      table={
        <DataTable
          label="Risk over time"
          rows={known}
          columns={[
            stepColumn(choice, {}),
            ...bands.map(([name], band): TableColumn<{ place: number }> => [
              name,
              ({ place }) => showCount(count(data.whole.points[place]!, band)),
              'tabular-nums',
            ]),
            ['Mean', ({ place }) => data.whole.points[place]!.risk?.toFixed(2) ?? '–', 'tabular-nums'],
          ]}
        />
      }
    >
      <StackedDays
        days={data.steps.map(({ from }) => from)}
        stacks={bands.map(([name, colour], band) => ({
          name,
          colour: `var(--${colour})`,
          values: data.whole.points.map((point) => count(point, band)),
        }))}
        writeDay={(from) => nameStep(choice, from)}
        onPick={open}
      />
    </ChartFigure>
  );
}
