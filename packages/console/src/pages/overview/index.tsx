import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesCombined } from 'lucide-react';
import { client, type SentJob } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { EmptyState, Loading, Page, ProblemNotice, Skeleton } from '../../components/page.tsx';
import { readJobId } from '../../jobs/index.ts';
import { judgeSample } from '../../jobs/job-parts.ts';
import { findFirstDay, formatLocalDay } from '../../routing/local-days.ts';
import { pickOne, type RawSearch, useSearchState } from '../../routing/search.ts';
import { useJobs, useMay } from '../../session/session.ts';
import {
  CalibrationFigure,
  CostOverTime,
  DisagreementFigure,
  LatencyOverTime,
  VerdictsOverTime,
} from './overview-charts.tsx';
import { Actions, QueueCounts, ReviewerAgreement, ReviewersTable } from './people.tsx';
import { Frequent, Totals } from './totals.tsx';
import { useAction } from '../../components/use-action.ts';

export function OverviewPage() {
  const [choice, change] = useSearchState(readChoice);
  const { days, job } = choice;
  const since = findFirstDay(Number(days));
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['overview', days, job ?? null, since.toISOString()],
    queryFn: ({ signal }) =>
      client.overview.get(
        { since: since.toISOString(), offsetMinutes: -since.getTimezoneOffset(), ...(job ? { job } : {}) },
        { signal },
      ),
    // News is told as it happens; figures are kept for a moment by the server, and what other servers did is told
    // nobody here.
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  const cases = { job, from: formatLocalDay(since) };
  return (
    <Page
      wide
      title="Overview"
      lead="Verdicts, how certain they were, and what they cost."
      actions={<RangeFields choice={choice} change={change} />}
    >
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <OverviewSkeleton />}
      {data && (
        <div className="grid gap-4" aria-busy={isFetching}>
          {data.totals.cases === 0 ? (
            <>
              <EmptyOverview
                filtered={job !== undefined || days !== '90'}
                clear={() => change({ job: undefined, days: '90' })}
              />
              <QueueCounts queue={data.queue} />
            </>
          ) : (
            <Totals totals={data.totals} cases={cases} />
          )}
          {data.totals.cases > 0 && (
            <div className="grid items-stretch gap-4 lg:grid-cols-2">
              <VerdictsOverTime days={data.days} />
              <DisagreementFigure steps={data.disagreement} mean={data.totals.disagreement} />
              <CalibrationFigure calibration={data.calibration} />
              <LatencyOverTime days={data.days} />
              <CostOverTime days={data.days} />
              <div className="grid grid-cols-1 content-start gap-4">
                <Actions actions={data.actions} />
                <ReviewerAgreement reviewers={data.reviewers} />
                <QueueCounts queue={data.queue} />
              </div>
              <ReviewersTable byReviewer={data.byReviewer} />
              <Frequent
                title="Categories"
                none="No categories yet."
                all={data.categories}
                search={(category) => ({ ...cases, category })}
              />
              <Frequent
                title="Models"
                none="No models were used."
                all={data.models}
                search={(model) => ({ ...cases, model })}
              />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

interface RangeFieldsProps {
  choice: OverviewChoice;
  change: (changed: Record<string, string | undefined>) => void;
}

function RangeFields({ choice: { days, job }, change }: RangeFieldsProps) {
  return (
    <>
      <SelectField
        label="Time"
        hideLabel
        value={days}
        onChange={(value) => change({ days: value })}
        options={ranges.map((range) => [range, `${range} days`])}
      />
      <SelectField
        label="Job"
        hideLabel
        value={job ?? ''}
        onChange={(value) => change({ job: value || undefined })}
        none="All jobs"
        options={useJobs().map(({ id, title }) => [id, title])}
      />
    </>
  );
}

function OverviewSkeleton() {
  return (
    <Loading what="Loading overview" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7">
        {Array.from({ length: 7 }, (_, index) => (
          <Skeleton key={index} className="h-24 w-full rounded-xl" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} className="h-88 w-full rounded-xl" />
        ))}
      </div>
    </Loading>
  );
}

/* Which time and job the overview is of, as the address says it. */

const ranges = ['7', '30', '90'] as const;

interface OverviewChoice {
  days: (typeof ranges)[number];
  job: SentJob | undefined;
}

function readChoice(raw: RawSearch): OverviewChoice {
  return { days: pickOne(ranges, raw['days']) ?? '30', job: readJobId(raw['job']) };
}

function EmptyOverview({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const mayJudge = useMay('judge');
  const job = useJobs().find(({ form }) => form.samples.length > 0);
  const samples = job?.form.samples.slice(0, 3) ?? [];
  const judge = useAction({
    act: () => Promise.all(samples.map(({ texts }) => judgeSample(client, job!, texts))),
    changes: 'overview',
  });
  return (
    <EmptyState
      icon={ChartNoAxesCombined}
      title="Nothing was judged in this period"
      action={
        <>
          {filtered && <Button onClick={clear}>Show all jobs, 90 days</Button>}
          {mayJudge && samples.length > 0 && (
            <Button variant="primary" busy={judge.isPending} onClick={() => judge.mutate()}>
              Judge three samples
            </Button>
          )}
          {mayJudge && <ButtonLink to="/">Judge something else</ButtonLink>}
        </>
      }
    >
      Verdicts, disagreement, calibration, cost and latency appear here as cases come in.
    </EmptyState>
  );
}
