import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { type Alert, client, type SentWatchRule } from '../../api/client.ts';
import { alertsQuery, invalidate, watchRulesQuery } from '../../api/query-options.ts';
import { formatCost, showCount, formatDuration, showPercent } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, FormDialog } from '../../components/dialog.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { EmptyState, ListView, Loading, QueryView, Section } from '../../components/page.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { showProblem, showToast } from '../../components/toasts.tsx';
import { useMay } from '../../session/session.ts';
import { figureNames, NewRule } from './new-rule.tsx';
import { nameGroup } from './watch-choice.ts';

/** What was noticed, and the rules by which it is. */
export function Alerts() {
  const list = useInfiniteQuery(alertsQuery);
  const rules = useQuery(watchRulesQuery);
  const mayCheck = useMay('judge');
  const check = useMutation({
    mutationFn: () => client.watching.check(),
    onSuccess: async ({ raised, ended }) => {
      showToast(`${showCount(raised.length)} raised, ${showCount(ended.length)} ended.`);
      await invalidate('watching');
    },
    onError: showProblem,
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
            <Table label="Alerts" head={['Alert', 'Group', 'Found', 'Raised', 'State', 'Actions']}>
              {rows.map((alert) => (
                <AlertLine key={alert.id} alert={alert} />
              ))}
            </Table>
          )}
        </ListView>
      </Section>
      <Section title="Rules" actions={<NewRule />}>
        <QueryView query={rules} what="Loading rules">
          {(read) =>
            read.rows.length === 0 ? (
              <p className="text-quiet">There are none yet: nobody is told of anything.</p>
            ) : (
              <Table label="Rules" head={['Rule', 'Figure', 'When', 'Last checked', 'Actions']}>
                {read.rows.map((rule) => (
                  <tr key={rule.id}>
                    <Cell className="words min-w-40">
                      <PlainText text={rule.name} />
                    </Cell>
                    <Cell>
                      {figureNames[rule.figure]}
                      {rule.by && ` by ${rule.by}`}
                      {rule.value !== null && `: ${nameGroup(rule.by ?? undefined, rule.value)}`}
                    </Cell>
                    <Cell className="min-w-56">{describeTest(rule)}</Cell>
                    <Cell>{rule.checkedAt === null ? 'not yet' : <When moment={rule.checkedAt} />}</Cell>
                    <Cell>
                      <RemoveRule rule={rule} />
                    </Cell>
                  </tr>
                ))}
              </Table>
            )
          }
        </QueryView>
      </Section>
    </>
  );
}

function AlertLine({ alert }: { alert: Alert }) {
  const { rule, value, now, before, cases, raisedAt, endedAt, acknowledgedBy, note } = alert;
  const write = writers[rule.figure];
  return (
    <tr>
      <Cell className="words min-w-40">
        <PlainText text={rule.name} />
      </Cell>
      <Cell>
        <PlainText text={nameGroup(rule.by ?? undefined, value)} />
      </Cell>
      <Cell className="min-w-56">
        {figureNames[rule.figure]} {write(now)}
        {before !== null && ` instead of ${write(before)}`}, {describeFinding(alert, write)}{' '}
        <span className="text-quiet">({showCount(cases)} cases)</span>
      </Cell>
      <Cell>
        <When moment={raisedAt} />
      </Cell>
      <Cell className="min-w-40">
        {endedAt === null ? <Badge tone="risk">stands</Badge> : <Badge tone="quiet">ended</Badge>}
        {acknowledgedBy !== null && (
          <span className="block text-sm text-quiet">
            seen by <PlainText text={acknowledgedBy} />
            {note !== null && (
              <>
                : <PlainText text={note} />
              </>
            )}
          </span>
        )}
      </Cell>
      <Cell>{acknowledgedBy === null && <Acknowledge id={alert.id} />}</Cell>
    </tr>
  );
}

function Acknowledge({ id }: { id: string }) {
  const [note, setNote] = useState('');
  if (!useMay('review')) return null;
  return (
    <FormDialog
      title="Acknowledge this alert"
      description="It says who looks after it, and ends by itself."
      trigger={<Button size="small">Acknowledge</Button>}
      act={() => client.watching.acknowledge(id, { note })}
      onDone={() => invalidate('watching')}
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
      trigger={
        <Button size="small" variant="danger">
          Remove
        </Button>
      }
      act={() => client.watching.removeRule(id)}
      onDone={() => invalidate('watching')}
      confirm="Remove"
    />
  );
}

const writers: Record<SentWatchRule['figure'], (value: number) => string> = {
  flagged: showPercent,
  undecided: showPercent,
  escalated: showPercent,
  degraded: showPercent,
  overridden: showPercent,
  risk: (value) => value.toFixed(2),
  cost: formatCost,
  latency: formatDuration,
  cases: (value) => showCount(Math.round(value)),
};

function describeFinding({ rule: { test }, now, why }: Alert, write: (value: number) => string): string {
  if (test.kind === 'drift') return why;
  return test.above !== null && now > test.above ? `above ${write(test.above)}` : `below ${write(test.below ?? 0)}`;
}

function describeTest({ figure, windowMinutes, test }: SentWatchRule): string {
  const write = writers[figure];
  const window = windowMinutes % 1440 === 0 ? `${windowMinutes / 1440} d` : `${windowMinutes} min`;
  if (test.kind === 'drift')
    return `${window} against the ${test.windows} before, from ${test.z} standard errors, ${test.least} cases`;
  const bounds = [
    ...(test.above === null ? [] : [`above ${write(test.above)}`]),
    ...(test.below === null ? [] : [`below ${write(test.below)}`]),
  ];
  return `${bounds.join(' or ')} within ${window}, ${test.least} cases`;
}
