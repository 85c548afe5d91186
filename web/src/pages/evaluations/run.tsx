import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { RunReport } from '../../api/types.ts';
import { formatCost, formatDuration, formatPercent } from '../../charts/chart-words.ts';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Loading } from '../../components/skeleton.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { When } from '../../components/when.tsx';
import { jobNames } from '../../job-names.ts';
import { runQuery } from './evaluations-query.ts';
import { ConfusionTable, QualityFigure } from './quality.tsx';
import { RunActions } from './run-actions.tsx';
import { RunItems } from './run-items.tsx';
import { RunBar, RunState } from './run-state.tsx';
import { useRunProgress } from './use-run-progress.ts';

/** One run: how far it is, how right it was, and every item of it. */
export function RunPage() {
  const { id } = useParams({ from: '/evaluations/runs/$id' });
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const progress = useRunProgress(id, run?.live ?? false);
  const name = run ? (run.name ?? id) : 'Run';
  return (
    <Page
      title={name}
      lead={
        <Link to="/evaluations" className="text-link underline">
          All runs
        </Link>
      }
      actions={run && <RunActions run={run} />}
    >
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {!run && !error && <Loading lines={8} what="Loading the run" />}
      {run && (
        <>
          <Card className="grid gap-4">
            <div className="flex flex-wrap items-center gap-3">
              <RunState run={run} />
              <span className="text-sm text-quiet">
                {jobNames[run.job]}, started <When moment={run.startedAt} />
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
          <RunItems id={id} />
        </>
      )}
    </Page>
  );
}

function RunFacts({ run: { counts, plan, cascade } }: { run: RunReport }) {
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
        ['Latency', counts.done === 0 ? null : `${formatDuration(usage.latencyMs / counts.done)} an item`],
        cascade ? ['First tier', `decided ${formatPercent(cascade.shareDecided)}`] : null,
      ]}
    />
  );
}

function Failures({ failures }: { failures: RunReport['failures'] }) {
  return (
    <Table label="What failed" head={['Problem', 'Items', 'For example']}>
      {failures.map(({ code, items, examples }) => (
        <tr key={code}>
          <Cell className="font-mono text-sm">{code}</Cell>
          <Cell className="tabular-nums">{items.toLocaleString()}</Cell>
          <Cell className="words text-sm">
            {examples.map(({ key, error }) => `${key}: ${error.message}`).join('\n')}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
