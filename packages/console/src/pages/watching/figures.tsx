import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { client, type SentWatchReport } from '../../api/client.ts';
import { formatCost, showCount, showPercent } from '../../charts/format-figures.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { Card, EmptyState, Loading, ProblemNotice } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';
import { findFirstDay } from '../../routing/local-days.ts';
import { useSearchState } from '../../routing/search.ts';
import { useJobs } from '../../session/session.ts';
import { RiskOverTime, ShareOverTime } from './figure-charts.tsx';
import { findCases, groups, nameGroup, periods, readChoice, steps, type WatchChoice } from './watch-choice.ts';

export function Figures() {
  const [choice, change] = useSearchState(readChoice);
  const { days, step, by, value, job } = choice;
  const since = findFirstDay(Number(days));
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['watching', 'figures', days, step, by ?? null, value ?? null, job ?? null, since.toISOString()],
    queryFn: ({ signal }) =>
      client.watching.figures(
        {
          since: since.toISOString(),
          step,
          offsetMinutes: -since.getTimezoneOffset(),
          ...(job ? { job } : {}),
          ...(by ? { by } : {}),
          ...(by && value !== undefined ? { value } : {}),
        },
        { signal },
      ),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });
  const shown = data && { data, choice };
  return (
    <>
      <Choices choice={choice} change={change} />
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading what="Loading figures" lines={8} />}
      {data && data.whole.cases === 0 && (
        <EmptyState
          icon={Activity}
          title="Nothing was judged in this period"
          action={
            <Button onClick={() => change({ days: '90', job: undefined, value: undefined })}>Show 90 days</Button>
          }
        >
          Shares, risk, overrides and cost appear here as cases come in.
        </EmptyState>
      )}
      {shown && data.whole.cases > 0 && (
        <div className="grid gap-4" aria-busy={isFetching}>
          {by && <GroupTable {...shown} change={change} />}
          <div className="grid items-stretch gap-4 lg:grid-cols-2">
            <ShareOverTime
              title="Flagged"
              lead="The share of verdicts that are unsafe."
              {...shown}
              read={({ flagged, cases }) => (cases === 0 ? null : flagged / cases)}
              search={{ label: 'unsafe' }}
            />
            <RiskOverTime {...shown} />
            <ShareOverTime
              title="Overridden by people"
              lead="Of the cases that a person decided, the share where the verdict said something else."
              {...shown}
              read={({ overridden, decided }) => (decided === 0 ? null : overridden / decided)}
              search={{ decided: 'true' }}
            />
            <ShareOverTime
              title="Undecided"
              lead="The share of verdicts that are left to people."
              {...shown}
              read={({ undecided, cases }) => (cases === 0 ? null : undecided / cases)}
              search={{ label: 'undecided' }}
            />
            <ShareOverTime
              title="Cost"
              lead="What the cases cost in all, where prices are known."
              {...shown}
              read={({ costUsd }) => costUsd}
              write={formatCost}
            />
            <ShareOverTime
              title="Cases"
              lead="How many were judged."
              {...shown}
              read={({ cases }) => cases}
              write={showCount}
            />
          </div>
        </div>
      )}
    </>
  );
}

interface ChoiceProps {
  choice: WatchChoice;
  change: (changed: Record<string, string | undefined>) => void;
}

function Choices({ choice: { days, step, by, value, job }, change }: ChoiceProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Time"
        value={days}
        onChange={(to) => change({ days: to, step: undefined })}
        options={periods.map((period) => [period, period === '1' ? 'Today' : `${period} days`])}
      />
      <SelectField
        label="Step"
        value={step}
        onChange={(to) => change({ step: to })}
        options={steps
          .filter((one) => one !== 'hour' || Number(days) <= 7)
          .map((one) => [one, `${one[0]!.toUpperCase()}${one.slice(1)}`])}
      />
      <SelectField
        label="Group by"
        value={by ?? ''}
        onChange={(to) => change({ by: to || undefined, value: undefined })}
        none="Nothing"
        options={groups}
      />
      <SelectField
        label="Job"
        value={job ?? ''}
        onChange={(to) => change({ job: to || undefined })}
        none="All jobs"
        options={useJobs().map(({ id, title }) => [id, title])}
      />
      {by && value !== undefined && (
        <Button onClick={() => change({ value: undefined })}>Only {nameGroup(by, value)} ✕</Button>
      )}
    </div>
  );
}

function GroupTable({ data, choice, change }: ChoiceProps & { data: SentWatchReport }) {
  const share = (part: number, of: number) => (of === 0 ? '–' : showPercent(part / of));
  const name = groups.find(([group]) => group === choice.by)![1];
  return (
    <Card className="grid gap-3">
      <h2 className="text-xl">By {name.toLowerCase()}</h2>
      <DataTable
        label={`Figures by ${name.toLowerCase()}`}
        rows={data.groups}
        columns={[
          [
            name,
            ({ value }) => (
              <Button size="small" variant="quiet" className="-my-1 -ml-3" onClick={() => change({ value })}>
                <PlainText text={nameGroup(choice.by, value)} />
              </Button>
            ),
            'whitespace-nowrap',
          ],
          [
            'Cases',
            ({ value, cases }) => (
              <TextLink to="/cases" search={{ ...findCases(choice, value, periodOf(data)) } as never}>
                {showCount(cases)}
              </TextLink>
            ),
            'tabular-nums',
          ],
          ['Flagged', ({ flagged, cases }) => share(flagged, cases), 'tabular-nums'],
          ['Mean risk', ({ risk }) => (risk === null ? '–' : risk.toFixed(2)), 'tabular-nums'],
          ['Undecided', ({ undecided, cases }) => share(undecided, cases), 'tabular-nums'],
          ['Overridden', ({ overridden, decided }) => share(overridden, decided), 'tabular-nums'],
          ['Cost', ({ costUsd }) => formatCost(costUsd), 'tabular-nums'],
        ]}
      />
      {data.others > 0 && <p className="text-sm text-quiet">{showCount(data.others)} smaller groups are left out.</p>}
    </Card>
  );
}

function periodOf({ since, until }: SentWatchReport) {
  return { from: since, to: until };
}
