import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { FlaskConical, GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import type { SentRun } from '../../api/client.ts';
import { showPercent } from '../../charts/format-figures.ts';
import { Button, ButtonLink, TextLink } from '../../components/button.tsx';
import { Card, EmptyState, ListView, ProblemNotice } from '../../components/page.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { useJobs, useMay } from '../../session/session.ts';
import { useStartRun } from './new-run.tsx';
import { RunBar, RunState, useRunProgress } from './run-progress.tsx';
import { runQuery, runsQuery } from '../../api/query-options.ts';

/** All runs, the newest first; two of them can be held side by side. */
export function RunList() {
  const list = useInfiniteQuery(runsQuery);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <div className="grid gap-3">
      <ListView list={list} lines={6} what="Loading runs" empty={<NoRuns />}>
        {(runs) => (
          <>
            <Compare runs={runs.filter(({ id }) => chosen.includes(id))} />
            <ul aria-label="Runs" className="grid gap-3">
              {runs.map((run) => (
                <RunCard
                  key={run.id}
                  run={run}
                  chosen={chosen.includes(run.id)}
                  full={chosen.length >= 2}
                  onChoose={(is) => setChosen(is ? [...chosen, run.id] : chosen.filter((id) => id !== run.id))}
                />
              ))}
            </ul>
          </>
        )}
      </ListView>
    </div>
  );
}

/** The older of the two is what was before. */
function Compare({ runs: [after, before] }: { runs: readonly SentRun[] }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-sm text-quiet">Select two runs of the same items to compare them.</p>
      {before && after ? (
        <ButtonLink
          to="/evaluations/compare"
          search={{ before: before.id, after: after.id } as never}
          variant="primary"
          icon={GitCompareArrows}
        >
          Compare runs
        </ButtonLink>
      ) : (
        <Button icon={GitCompareArrows} disabled>
          Compare runs
        </Button>
      )}
    </div>
  );
}

interface RunCardProps {
  run: SentRun;
  chosen: boolean;
  full: boolean;
  onChoose: (chosen: boolean) => void;
}

function RunCard({ run, chosen, full, onChoose }: RunCardProps) {
  const { data: report } = useQuery(runQuery(run.id));
  const progress = useRunProgress(run.id, run.live);
  const name = run.name ?? run.id;
  const quality = report?.quality;
  return (
    <li>
      <Card className="grid gap-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <input
            type="checkbox"
            aria-label={`Choose ${name}`}
            className="size-4.5 accent-link"
            checked={chosen}
            disabled={full && !chosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
          <TextLink
            to="/evaluations/runs/$id"
            params={{ id: run.id }}
            className="words min-w-0 flex-1 basis-40 text-lg font-medium"
          >
            <PlainText text={name} />
          </TextLink>
          <RunState run={run} />
          <span className="text-sm text-quiet">
            {findConsoleJob(run.job).title}, <When moment={run.startedAt} />
          </span>
        </div>
        <RunBar name={name} progress={progress} report={report} />
        {run.problem && <p className="words text-sm text-risk">{run.problem}</p>}
        {quality && (
          <p className="text-sm text-quiet">
            Accuracy on {quality.items.toLocaleString()} labelled items:{' '}
            <strong className="font-medium text-ink tabular-nums">{showPercent(quality.accuracy)}</strong>
            {quality.f1 !== null && (
              <>
                , F1 <strong className="font-medium text-ink tabular-nums">{showPercent(quality.f1)}</strong>
              </>
            )}
            .
          </p>
        )}
      </Card>
    </li>
  );
}

function NoRuns() {
  const mayJudge = useMay('judge');
  const start = useStartRun();
  const job = useJobs().find(({ sampleRun }) => sampleRun !== undefined);
  return (
    <div className="grid gap-3">
      <EmptyState
        title="No runs yet"
        icon={FlaskConical}
        action={
          mayJudge &&
          job?.sampleRun && (
            <Button
              variant="primary"
              busy={start.isPending}
              onClick={() => start.mutate({ job: job.id, name: 'Sample', files: [job.sampleRun!()] })}
            >
              Run six samples
            </Button>
          )
        }
      >
        A run judges every item in a file. If items have labels, it shows how often the verdict was right.{' '}
        {mayJudge && job && 'Try it with six invented posts.'}
      </EmptyState>
      {start.isError && <ProblemNotice error={start.error} />}
    </div>
  );
}
