import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeRisk, viewVerdictRisk } from '@agonhq/engine/view';
import type { ShadowPair, ShadowReport } from '../../api/client.ts';
import { caseQuery, shadowPairsQuery, shadowQuery, versionsQuery } from '../../api/query-options.ts';
import { formatCost, showCount, formatDuration, formatInterval, showPercent } from '../../charts/format-figures.ts';
import { LabelBadge } from '../../components/badge.tsx';
import { CaseLink } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox } from '../../components/field.tsx';
import { ListView, Loading, QueryView, Section } from '../../components/page.tsx';
import { DataTable, FigureCard, Facts } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { Enact } from '../policy/versions.tsx';

/** A candidate beside what is in force. */
export function CompareShadow({ id }: { id: string }) {
  const report = useQuery(shadowQuery(id));
  return (
    <QueryView query={report} what="Loading the comparison">
      {(read) => (
        <>
          <Section
            title={<PlainText text={read.name} />}
            lead={read.why ?? undefined}
            actions={<PutInForce report={read} />}
          >
            {read.pairs === 0 ? (
              <p role="status" className="text-quiet">
                No case was judged by both yet.
              </p>
            ) : (
              <Comparison report={read} />
            )}
          </Section>
          {read.pairs > 0 && <Pairs id={id} />}
        </>
      )}
    </QueryView>
  );
}

function Comparison({ report }: { report: ShadowReport }) {
  const { pairs, agreement, interval, kappa, labels, costUsd, latencyMs, decided } = report;
  const signed = (write: (value: number) => string) => (value: number) =>
    `${value > 0 ? '+' : value < 0 ? '−' : ''}${write(Math.abs(value))}`;
  const differ = (of: ShadowReport['costUsd'], write: (value: number) => string) =>
    of.difference === null
      ? { value: '–', words: 'Nothing is known of it.' }
      : {
          value: signed(write)(of.difference),
          words:
            `${write(of.candidate!)} instead of ${write(of.inForce!)} a case` +
            (of.interval ? `; 95 %: ${formatInterval(of.interval, signed(write))}` : ''),
        };
  const [cost, time] = [differ(costUsd, formatCost), differ(latencyMs, formatDuration)];
  return (
    <div className="grid gap-4">
      <dl className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <FigureCard name="Agreement" value={showPercent(agreement)}>
          of {showCount(pairs)} cases; 95 %: {formatInterval(interval)}
          {kappa !== null && `; κ ${kappa.toFixed(2)}`}
        </FigureCard>
        <FigureCard name="Cost" value={cost.value}>
          {cost.words}
        </FigureCard>
        <FigureCard name="Time" value={time.value}>
          {time.words}
        </FigureCard>
        <FigureCard
          name="Right by people"
          value={decided.cases === 0 ? '–' : showPercent(decided.candidate / decided.cases)}
        >
          {decided.cases === 0
            ? 'No person decided one of them.'
            : `instead of ${showPercent(decided.inForce / decided.cases)}, of ${showCount(decided.cases)} decided`}
        </FigureCard>
      </dl>
      <DataTable
        label="Verdicts in force and in the shadow"
        rows={labels}
        columns={[
          ['In force', ({ inForce }) => <LabelBadge label={inForce} />],
          ['Candidate', ({ candidate }) => <LabelBadge label={candidate} />],
          ['Cases', ({ cases }) => showCount(cases), 'tabular-nums'],
          ['Share', ({ cases }) => showPercent(cases / pairs), 'tabular-nums'],
        ]}
      />
    </div>
  );
}

/** A policy is put in force here; settings are a file. */
function PutInForce({ report: { policy, seats, sensitivity, method } }: { report: ShadowReport }) {
  const versions = useQuery(versionsQuery);
  const version = versions.data?.rows.find(({ hash }) => hash === policy);
  const lines = [
    ...(sensitivity === null ? [] : [`sensitivity: ${sensitivity}`]),
    ...(Object.keys(seats).length === 0 ? [] : [`seats: ${JSON.stringify(seats)}`]),
    ...(method === null ? [] : [`method: ${method}`]),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2">
      {version && <Enact version={version} active={version.active} size="small" />}
      {lines.length > 0 && (
        <Dialog
          title="Put these settings in force"
          description="Settings are a file: write this into it, and start the server again."
          trigger="What to set"
          triggerLook={{ size: 'small' }}
        >
          <pre className="overflow-x-auto rounded-lg border bg-paper p-3 font-mono text-sm">{lines.join('\n')}</pre>
        </Dialog>
      )}
    </div>
  );
}

function Pairs({ id }: { id: string }) {
  const [differing, setDiffering] = useState(true);
  const list = useInfiniteQuery(shadowPairsQuery(id, differing));
  return (
    <Section
      title="Cases"
      actions={
        <Checkbox
          label="Only where they differ"
          checked={differing}
          onChange={({ target }) => setDiffering(target.checked)}
        />
      }
    >
      <ListView
        list={list}
        loading={<Loading lines={4} what="Loading cases" />}
        empty={<p className="text-quiet">{differing ? 'They said the same of every case.' : 'There are none.'}</p>}
      >
        {(rows) => (
          <DataTable
            label="Cases judged by both"
            rows={rows}
            columns={[
              [
                'Case',
                ({ excerpt }) => (excerpt === null ? <i>forgotten</i> : <PlainText text={excerpt} />),
                'words min-w-56',
              ],
              ['In force', ({ inForce }) => <LabelBadge label={inForce.label} />],
              ['Candidate', ({ candidate }) => <LabelBadge label={candidate.label} />],
              ['Judged', ({ judgedAt }) => <When moment={judgedAt} />],
              ['Actions', (pair) => <SideBySide pair={pair} />],
            ]}
          />
        )}
      </ListView>
    </Section>
  );
}

function SideBySide({ pair }: { pair: ShadowPair }) {
  return (
    <Dialog
      wide
      title="Side by side"
      description={pair.excerpt ?? undefined}
      trigger="Side by side"
      triggerLook={{ size: 'small' }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <OneSide title="In force" id={pair.case} />
        <OneSide title="Candidate" id={pair.shadowCase} />
      </div>
    </Dialog>
  );
}

function OneSide({ title, id }: { title: string; id: string }) {
  const found = useQuery(caseQuery(id));
  return (
    <section aria-label={title} className="grid content-start gap-3">
      <h3 className="font-medium">{title}</h3>
      <QueryView query={found} what={`Loading ${title.toLowerCase()}`}>
        {({ label, risk, bar, rule, categories, policy, models, answer }) => (
          <>
            <p>{label !== null && <LabelBadge label={label} />}</p>
            <Facts
              facts={[
                ['Risk', describeRisk(viewVerdictRisk({ risk, bar }))],
                ['Rule', rule ?? '–'],
                ['Categories', categories.join(', ') || 'none'],
                ['Policy', `${policy.name} ${policy.version}`],
                ['Models', models.join(', ')],
                ['Cost', formatCost(answer?.usage.costUsd ?? null)],
                ['Time', formatDuration(answer?.usage.latencyMs ?? null)],
              ]}
            />
            <p>
              <CaseLink id={id}>Open the case</CaseLink>
            </p>
          </>
        )}
      </QueryView>
    </section>
  );
}
