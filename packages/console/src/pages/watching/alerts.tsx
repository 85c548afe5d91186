import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { type Alert, client, type SentWatchRule } from '../../api/client.ts';
import { alertsQuery, watchRulesQuery } from '../../api/query-options.ts';
import { formatCost, showCount, formatDuration, showPercent } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, FormDialog } from '../../components/dialog.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { EmptyState, ListView, Loading, QueryView, Section } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { figureNames, NewRule } from './new-rule.tsx';
import { nameGroup } from './watch-choice.ts';
import { useAction } from '../../components/use-action.ts';

/** What was noticed, and the rules by which it is. */
export function Alerts() {
  const list = useInfiniteQuery(alertsQuery);
  const rules = useQuery(watchRulesQuery);
  const mayCheck = useMay('judge');
  const check = useAction({
    act: () => client.watching.check(),
    changes: 'watching',
    says: ({ raised, ended }) => `${showCount(raised.length)} raised, ${showCount(ended.length)} ended.`,
  });
  return (
    <>
      <Section
        title="Alerts"
        lead="One for each rule and group; it stands until what is watched is as it was, and is told by webhook."
        actions={
          mayCheck && (
            <Button size="small" busy={check.isPending} onClick={() => check.mutate()}>
              Check now
            </Button>
          )
        }
      >
        <ListView
          list={list}
          loading={<Loading lines={4} what="Loading alerts" />}
          empty={
            <EmptyState icon={BellRing} title="Nothing has drifted">
              The server looks at the rules below every minute.
            </EmptyState>
          }
        >
          {(rows) => (
            <DataTable
              label="Alerts"
              rows={rows}
              columns={[
                ['Alert', ({ rule }) => <PlainText text={rule.name} />, 'words min-w-40'],
                ['Group', ({ rule, value }) => <PlainText text={nameGroup(rule.by ?? undefined, value)} />],
                ['Found', (alert) => <Finding alert={alert} />, 'min-w-56'],
                ['Raised', ({ raisedAt }) => <When moment={raisedAt} />],
                ['State', (alert) => <AlertState alert={alert} />, 'min-w-40'],
                ['Actions', ({ id, acknowledgedBy }) => acknowledgedBy === null && <Acknowledge id={id} />],
              ]}
            />
          )}
        </ListView>
      </Section>
      <Section title="Rules" actions={<NewRule />}>
        <QueryView query={rules} what="Loading rules">
          {(read) =>
            read.rows.length === 0 ? (
              <p className="text-quiet">There are none yet: nobody is told of anything.</p>
            ) : (
              <DataTable
                label="Rules"
                rows={read.rows}
                columns={[
                  ['Rule', ({ name }) => <PlainText text={name} />, 'words min-w-40'],
                  ['Figure', (rule) => describeFigure(rule)],
                  ['When', (rule) => describeTest(rule), 'min-w-56'],
                  ['Last checked', ({ checkedAt }) => (checkedAt === null ? 'not yet' : <When moment={checkedAt} />)],
                  ['Actions', (rule) => <RemoveRule rule={rule} />],
                ]}
              />
            )
          }
        </QueryView>
      </Section>
    </>
  );
}

function Finding({ alert }: { alert: Alert }) {
  const { rule, now, before, cases } = alert;
  const write = writers[rule.figure] ?? showPercent;
  return (
    <>
      {figureNames[rule.figure]} {write(now)}
      {before !== null && ` instead of ${write(before)}`}, {describeFinding(alert, write)}{' '}
      <span className="text-quiet">({showCount(cases)} cases)</span>
    </>
  );
}

function AlertState({ alert: { endedAt, acknowledgedBy, note } }: { alert: Alert }) {
  return (
    <>
      {endedAt === null ? <Badge tone="risk">stands</Badge> : <Badge tone="quiet">ended</Badge>}
      {acknowledgedBy !== null && (
        <span className="block text-sm text-quiet">
          seen by <PlainText text={[acknowledgedBy, note].filter((words) => words !== null).join(': ')} />
        </span>
      )}
    </>
  );
}

function Acknowledge({ id }: { id: string }) {
  const [note, setNote] = useState('');
  if (!useMay('review')) return null;
  return (
    <FormDialog
      title="Acknowledge this alert"
      description="It says who looks after it, and ends by itself."
      trigger="Acknowledge"
      triggerLook={{ size: 'small' }}
      act={() => client.watching.acknowledge(id, { note })}
      changes="watching"
      submit="Acknowledge"
    >
      <TextAreaField label="Note" value={note} onChange={setNote} maxLength={1000} rows={3} />
    </FormDialog>
  );
}

function RemoveRule({ rule: { id, name } }: { rule: SentWatchRule }) {
  if (!useMay('admin')) return null;
  return (
    <ConfirmDialog
      title="Remove this rule?"
      description={`${name}: its alerts go with it.`}
      trigger="Remove"
      triggerLook={{ size: 'small', variant: 'danger' }}
      act={() => client.watching.removeRule(id)}
      changes="watching"
      confirm="Remove"
    />
  );
}

/** The others are shares. */
const writers: { [Figure in SentWatchRule['figure']]?: (value: number) => string } = {
  risk: (value) => value.toFixed(2),
  cost: formatCost,
  latency: formatDuration,
  cases: (value) => showCount(Math.round(value)),
};

function describeFinding({ rule: { test }, now, why }: Alert, write: (value: number) => string): string {
  if (test.kind === 'drift') return why;
  return test.above !== null && now > test.above ? `above ${write(test.above)}` : `below ${write(test.below ?? 0)}`;
}

function describeFigure({ figure, by, value }: SentWatchRule): string {
  const group = value === null ? '' : `: ${nameGroup(by ?? undefined, value)}`;
  return `${figureNames[figure]}${by ? ` by ${by}` : ''}${group}`;
}

function describeTest({ figure, windowMinutes, test }: SentWatchRule): string {
  const write = writers[figure] ?? showPercent;
  const window = windowMinutes % 1440 === 0 ? `${windowMinutes / 1440} d` : `${windowMinutes} min`;
  if (test.kind === 'drift')
    return `${window} against the ${test.windows} before, from ${test.z} standard errors, ${test.least} cases`;
  const bounds = [
    ...(test.above === null ? [] : [`above ${write(test.above)}`]),
    ...(test.below === null ? [] : [`below ${write(test.below)}`]),
  ];
  return `${bounds.join(' or ')} within ${window}, ${test.least} cases`;
}
