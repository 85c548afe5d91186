import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import type { SentRunDifference } from '../../api/client.ts';
import { formatCost, showCount, formatDuration, formatP, showPercent } from '../../charts/format-figures.ts';
import { Card, Page, EmptyState, QueryView } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { SelectField } from '../../components/field.tsx';
import { useSearchState } from '../../routing/search.ts';
import { RunGrid } from './grid/run-grid.tsx';
import { QualityFigure } from './quality.tsx';
import { TextLink } from '../../components/button.tsx';
import { runDifferenceQuery, runQuery, runsQuery } from '../../api/query-options.ts';

export function ComparePage() {
  const [{ before, after }, change] = useSearchState((raw) => ({ before: raw['before'], after: raw['after'] }));
  return (
    <Page wide title="Compare runs" lead={<TextLink to="/evaluations">All runs</TextLink>}>
      <div className="grid gap-3 sm:grid-cols-2">
        <ChooseRun label="Before" value={before} onChange={(id) => change({ before: id })} />
        <ChooseRun label="After" value={after} onChange={(id) => change({ after: id })} />
      </div>
      {before && after ? (
        <Difference before={before} after={after} />
      ) : (
        <EmptyState title="Choose two runs" icon={GitCompareArrows}>
          Items are matched by key. Items that both runs judged are compared, and flipped verdicts are listed and
          tested.
        </EmptyState>
      )}
    </Page>
  );
}

interface ChooseRunProps {
  label: string;
  value: string | undefined;
  onChange: (id: string) => void;
}

function ChooseRun({ label, value = '', onChange }: ChooseRunProps) {
  const runs = useInfiniteQuery(runsQuery).data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      none="Choose a run"
      options={runs.map(({ id, name, job }) => [id, `${name ?? id} (${job})`])}
    />
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  const query = useQuery(runDifferenceQuery(before, after));
  const reports = [useQuery(runQuery(before)).data, useQuery(runQuery(after)).data];
  return (
    <QueryView query={query} lines={8} what="Comparing runs">
      {(data) => {
        const names = distinguishNames(data.before.name ?? before, data.after.name ?? after);
        const qualities = reports.flatMap((report, index) =>
          report?.quality ? [{ name: names[index]!, quality: report.quality }] : [],
        );
        return (
          <>
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <FlipSummary difference={data} />
              {qualities.length > 0 ? (
                <QualityFigure runs={qualities} />
              ) : (
                <Card>
                  <p className="text-quiet">The items of these runs have no labels, so their accuracy is unknown.</p>
                </Card>
              )}
            </div>
            {reports[0] && reports[1] && <RunGrid run={reports[0]} beside={reports[1]} changed="flipped" />}
          </>
        );
      }}
    </QueryView>
  );
}

function distinguishNames(before: string, after: string): [string, string] {
  return before === after ? [`${before} (before)`, `${after} (after)`] : [before, after];
}

function FlipSummary({ difference }: { difference: SentRunDifference }) {
  const { compared, same, flips, flipTest, labelled, riskChange, latencyMs, before, after } = difference;
  const leftOut = difference.onlyBefore + difference.onlyAfter + difference.otherContent + difference.unfinished;
  return (
    <Card className="grid gap-4">
      <h2 className="text-xl">Flipped verdicts</h2>
      <p>
        <strong className="text-2xl font-medium tabular-nums">{showCount(compared - same)}</strong> of{' '}
        {showCount(compared)} items were decided differently
        {compared > 0 && ` (${showPercent((compared - same) / compared)})`}.
      </p>
      {Object.keys(flips).length > 0 && (
        <ul className="grid gap-1">
          {Object.entries(flips).map(([flip, items]) => (
            <li key={flip} className="tabular-nums">
              {showCount(items)} {flip}
            </li>
          ))}
        </ul>
      )}
      <Facts
        facts={[
          flipTest
            ? [
                'McNemar’s exact test',
                `${flipTest.from} → ${flipTest.to}: ${showCount(flipTest.forth)}, ` +
                  `back: ${showCount(flipTest.back)}, ${formatP(flipTest.p)}`,
              ]
            : null,
          labelled
            ? [
                'Against the labels',
                `${showCount(labelled.putRight)} corrected, ${showCount(labelled.putWrong)} broken, ` +
                  formatP(labelled.p),
              ]
            : null,
          ['Mean change of risk', riskChange === null ? null : riskChange.toFixed(3)],
          ['Latency per item', `${formatDuration(latencyMs.before)} → ${formatDuration(latencyMs.after)}`],
          ['Cost', `${formatCost(before.usage.costUsd)} → ${formatCost(after.usage.costUsd)}`],
          ['Not compared', leftOut === 0 ? null : showCount(leftOut)],
        ]}
      />
    </Card>
  );
}
