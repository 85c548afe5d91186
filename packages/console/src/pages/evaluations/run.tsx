import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { client, type SentRunReport } from '../../api/client.ts';
import { formatCost, formatDuration, showPercent } from '../../charts/format-figures.ts';
import { DownloadLink, Button, TextLink } from '../../components/button.tsx';
import { Card, Page, QueryView } from '../../components/page.tsx';
import { DataTable, Facts } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { useMay } from '../../session/session.ts';
import { ConfusionTable, QualityFigure } from './quality.tsx';
import { RunGrid } from './grid/run-grid.tsx';
import { RunBar, RunState, useRunProgress } from './run-progress.tsx';
import { runQuery } from '../../api/query-options.ts';
import { useAction } from '../../components/use-action.ts';

export function RunPage() {
  const { id } = useParams({ from: '/evaluations/runs/$id' });
  const query = useQuery(runQuery(id));
  const { data } = query;
  const progress = useRunProgress(id, data?.live ?? false);
  const name = data ? (data.name ?? id) : 'Run';
  return (
    <Page
      wide
      title={name}
      lead={<TextLink to="/evaluations">All runs</TextLink>}
      actions={data && <RunActions run={data} />}
    >
      <QueryView query={query} lines={8} what="Loading run">
        {(run) => (
          <>
            <Card className="grid gap-4">
              <div className="flex flex-wrap items-center gap-3">
                <RunState run={run} />
                <span className="text-sm text-quiet">
                  {findConsoleJob(run.job).title}, started <When moment={run.startedAt} />
                  {run.endedAt && (
                    <>
                      , ended <When moment={run.endedAt} />
                    </>
                  )}
                </span>
              </div>
              <RunBar name={name} progress={progress} report={run} />
              {run.problem && <p className="words text-risk">{run.problem}</p>}
              <RunFacts run={run} />
            </Card>
            {run.quality && (
              <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_auto]">
                <QualityFigure runs={[{ name, quality: run.quality }]} />
                <ConfusionTable confusion={run.quality.confusion} />
              </div>
            )}
            {run.failures.length > 0 && <Failures failures={run.failures} />}
            <RunGrid run={run} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function RunFacts({ run: { counts, plan, cascade } }: { run: SentRunReport }) {
  const { usage } = counts;
  return (
    <Facts
      facts={[
        [
          'Verdicts',
          Object.entries(counts.byLabel)
            .map(([label, items]) => `${items.toLocaleString()} ${label}`)
            .join(', ') || 'none yet',
        ],
        ['Escalated', counts.escalated.toLocaleString()],
        ['Models', plan ? [...new Set(Object.values(plan.models))].join(', ') : null],
        ['Cost', formatCost(usage.costUsd)],
        ['Calls', usage.calls.toLocaleString()],
        ['Latency', counts.done === 0 ? null : `${formatDuration(usage.latencyMs / counts.done)} per item`],
        cascade ? ['First tier', `decided ${showPercent(cascade.shareDecided)}`] : null,
      ]}
    />
  );
}

function Failures({ failures }: { failures: SentRunReport['failures'] }) {
  return (
    <DataTable
      label="Failures"
      rows={failures}
      columns={[
        ['Problem', ({ code }) => code, 'font-mono text-sm'],
        ['Items', ({ items }) => items.toLocaleString(), 'tabular-nums'],
        [
          'Example',
          ({ examples }) => examples.map(({ key, error }) => `${key}: ${error.message}`).join('\n'),
          'words text-sm',
        ],
      ]}
    />
  );
}

function RunActions({ run: { id, state, counts } }: { run: SentRunReport }) {
  const mayJudge = useMay('judge');
  const actions = {
    cancel: ['Stop', 'The run was stopped.', state === 'running'],
    resume: ['Resume', 'The run continues.', ['stopped', 'cancelled', 'failed'].includes(state)],
    retry: ['Retry failed items', 'Failed items are being judged again.', state === 'finished' && counts.failed > 0],
  } as const;
  const change = useAction({
    act: (how: keyof typeof actions) => client.runs[how](id),
    changes: 'runs',
    says: (_, how) => actions[how][1],
  });
  const answersAt = `/api/runs/${encodeURIComponent(id)}/export?format=jsonl`;
  return (
    <>
      {mayJudge &&
        (['cancel', 'resume', 'retry'] as const).map(
          (how) =>
            actions[how][2] && (
              <Button key={how} busy={change.isPending} onClick={() => change.mutate(how)}>
                {actions[how][0]}
              </Button>
            ),
        )}
      <DownloadLink href={answersAt}>Answers</DownloadLink>
      <DownloadLink href={`/api/runs/${encodeURIComponent(id)}/bundle`}>Evidence</DownloadLink>
    </>
  );
}
