import { useQuery } from '@tanstack/react-query';
import { Copy, CopyPlus } from 'lucide-react';
import { type Shadow, client } from '../../api/client.ts';
import { shadowsQuery, versionsQuery } from '../../api/query-options.ts';
import { formatCost, showCount, showPercent } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, FormDialog } from '../../components/dialog.tsx';
import { EmptyState, QueryView, Section } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { useJobs, useMay } from '../../session/session.ts';
import { CompareShadow } from './compare-shadow.tsx';
import { nameOptions, InputField, SelectField, useFields } from '../../components/field.tsx';

interface ShadowsProps {
  chosen: string | undefined;
  choose: (id: string | undefined) => void;
}

/** Candidates that judge live traffic after the answer was given. */
export function Shadows({ chosen, choose }: ShadowsProps) {
  const shadows = useQuery(shadowsQuery);
  return (
    <>
      <Section
        title="In the shadow"
        lead="A candidate judges a share of what is judged here, after the answer was given: nobody waits for it, and
          its cases are in no list, queue or figure."
        actions={<NewShadow onStarted={choose} />}
      >
        <QueryView query={shadows} what="Loading candidates">
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState icon={Copy} title="No candidate judges">
                Try another policy, another model or another sensitivity on live traffic before you switch.
              </EmptyState>
            ) : (
              <DataTable
                label="Candidates"
                rows={rows}
                columns={[
                  ['Candidate', ({ name }) => <PlainText text={name} />, 'words min-w-40'],
                  ['Changes', (row) => listChanges(row).join(', '), 'words min-w-44'],
                  ['Share', ({ share }) => showPercent(share), 'whitespace-nowrap tabular-nums'],
                  ['Started', ({ startedAt }) => <When moment={startedAt} />],
                  ['State', (row) => <ShadowState row={row} />, 'min-w-48'],
                  [
                    'Actions',
                    (row) => (
                      <div className="flex flex-wrap gap-2">
                        <Button size="small" aria-pressed={chosen === row.id} onClick={() => choose(row.id)}>
                          Compare
                        </Button>
                        {row.endedAt === null && <EndShadow row={row} />}
                      </div>
                    ),
                  ],
                ]}
              />
            )
          }
        </QueryView>
      </Section>
      {chosen !== undefined && <CompareShadow key={chosen} id={chosen} />}
    </>
  );
}

function ShadowState({ row: { endedAt, spentUsd, dropped, failed } }: { row: Shadow }) {
  return (
    <>
      {endedAt === null ? <Badge tone="exoneration">judges</Badge> : <Badge tone="quiet">ended</Badge>}
      <span className="block text-sm text-quiet">
        {formatCost(spentUsd)} · {showCount(dropped)} dropped · {showCount(failed)} failed
      </span>
    </>
  );
}

/** What a candidate does otherwise, in words. */
export function listChanges({ policy, seats, sensitivity, method }: Shadow): string[] {
  return [
    ...(policy === null ? [] : [`policy ${policy.slice(7, 19)}`]),
    ...Object.entries(seats).map(([seat, model]) => `${model} as ${seat}`),
    ...(sensitivity === null ? [] : [`sensitivity ${sensitivity}`]),
    ...(method === null ? [] : [`method ${method}`]),
  ];
}

function EndShadow({ row: { id, name } }: { row: Shadow }) {
  if (!useMay('admin')) return null;
  return (
    <ConfirmDialog
      title="End this candidate?"
      description={`${name} judges nothing more. What it judged stays.`}
      trigger="End"
      triggerLook={{ size: 'small' }}
      act={() => client.shadows.end(id)}
      changes="shadows"
      confirm="End"
      variant="primary"
    />
  );
}

const first = { name: '', job: '', policy: '', model: '', sensitivity: '', share: '10', concurrency: '1', budget: '' };

function NewShadow({ onStarted }: { onStarted: (id: string) => void }) {
  const { given, field, reset } = useFields(first);
  const jobs = useJobs().filter(({ usesPolicy }) => usesPolicy);
  const versions = useQuery(versionsQuery);
  const start = () =>
    client.shadows.start({
      name: given.name.trim(),
      job: given.job || jobs[0]!.id,
      policy: given.policy || null,
      seats: given.model.trim() === '' ? {} : { default: given.model.trim() },
      sensitivity: (given.sensitivity || null) as 'low' | 'balanced' | 'high' | null,
      share: Number(given.share) / 100,
      concurrency: Number(given.concurrency),
      budgetUsd: given.budget === '' ? null : Number(given.budget),
    });
  if (!useMay('admin')) return null;
  return (
    <FormDialog
      title="A new candidate"
      description="Change one thing or several: what is not named is as it is in force."
      trigger="New candidate"
      triggerLook={{ size: 'small', icon: CopyPlus }}
      act={start}
      changes="shadows"
      onDone={({ id }) => {
        reset();
        onStarted(id);
      }}
      submit="Start"
    >
      <InputField label="Name" required maxLength={100} {...field('name')} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Job"
          {...field('job')}
          value={given.job || (jobs[0]?.id ?? '')}
          options={jobs.map(({ id, title }) => [id, title])}
        />
        <SelectField
          label="Policy"
          {...field('policy')}
          none="As in force"
          options={(versions.data?.rows ?? [])
            .filter(({ active }) => !active)
            .map(({ hash, name, version }) => [hash, `${name} ${version} · ${hash.slice(7, 15)}`])}
        />
        <InputField
          label="Model in every seat"
          hint="provider:model; empty for those in force"
          {...field('model')}
          spellCheck={false}
        />
        <SelectField
          label="Sensitivity"
          {...field('sensitivity')}
          none="As in force"
          options={nameOptions('low', 'balanced', 'high')}
        />
        <InputField
          label="Share of the traffic, %"
          type="number"
          min={0.1}
          max={100}
          step="any"
          required
          {...field('share')}
        />
        <InputField label="Cases at once" type="number" min={1} max={16} required {...field('concurrency')} />
        <InputField
          label="Budget, US dollars"
          hint="it ends when it has spent so much"
          type="number"
          min={0}
          step="any"
          {...field('budget')}
        />
      </div>
    </FormDialog>
  );
}
