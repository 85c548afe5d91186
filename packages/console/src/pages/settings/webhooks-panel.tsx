import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { client, type Delivery, type Webhook } from '../../api/client.ts';
import { deliveriesQuery, webhooksQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { CaseLink, Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Checklist, InputField } from '../../components/field.tsx';
import { Card, EmptyState, ListView, Loading, QueryView } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { Paragraph, PlainText, When } from '../../components/text.tsx';
import { showToast } from '../../components/toasts.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useAction } from '../../components/use-action.ts';

const eventTitles = [
  ['verdict', 'a verdict was reached'],
  ['escalation', 'a case needs a person'],
  ['decision', 'a person decided'],
  ['overdue', 'a case is overdue'],
  ['run-ended', 'a run ended'],
  ['alert-raised', 'an alert was raised'],
  ['alert-ended', 'an alert ended'],
] as const;
type WebhookEvent = (typeof eventTitles)[number][0];

export function WebhooksPanel() {
  const webhooks = useQuery(webhooksQuery);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="max-w-2xl text-quiet">
          Addresses that are told what happens here, signed, and tried again for a day while they do not answer.
        </p>
        <span className="ml-auto">
          <NewWebhook />
        </span>
      </div>
      <QueryView query={webhooks} what="Loading webhooks">
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={WebhookIcon} title="Nobody is told yet">
              Add an address here, or in the file of settings (server.webhooks).
            </EmptyState>
          ) : (
            <ul aria-label="Webhooks" className="grid gap-4">
              {rows.map((row) => (
                <li key={row.id}>
                  <WebhookCard row={row} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </>
  );
}

function WebhookCard({ row: { id, url, events, configured, disabledAt, problem } }: { row: Webhook }) {
  const [shown, setShown] = useState(false);
  const test = useAction({
    act: () => client.webhooks.test(id),
    changes: 'webhooks',
    onDone({ state, status, error }) {
      if (state === 'delivered') showToast(`It answered ${status}.`);
      else showToast(`It was not delivered: ${error ?? `status ${status}`}.`, 'bad');
    },
  });
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <b className="break-all">
          <PlainText text={url} />
        </b>
        {disabledAt === null ? <Badge tone="exoneration">on</Badge> : <Badge tone="caution">off</Badge>}
        {configured && <Badge tone="quiet">from the file of settings</Badge>}
      </div>
      <p className="text-sm text-quiet">Told of: {events.join(', ')}</p>
      {problem !== null && <Paragraph className="text-sm text-caution" text={problem} />}
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button size="small" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide deliveries' : 'Deliveries'}
        </Button>
        {!configured && <RemoveWebhook id={id} url={url} />}
      </div>
      {shown && <Deliveries id={id} />}
    </Card>
  );
}

function Deliveries({ id }: { id: string }) {
  const list = useInfiniteQuery(deliveriesQuery(id));
  return (
    <ListView
      list={list}
      loading={<Loading lines={3} what="Loading deliveries" />}
      empty={<p className="text-sm text-quiet">Nothing was sent yet.</p>}
    >
      {(rows) => (
        <DataTable
          label="Deliveries"
          rows={rows}
          columns={[
            ['When', ({ createdAt }) => <When moment={createdAt} />],
            ['Event', ({ event }) => event, 'whitespace-nowrap'],
            [
              'Case',
              ({ case: id }) =>
                id !== null && (
                  <CaseLink id={id} className="whitespace-nowrap">
                    {id}
                  </CaseLink>
                ),
            ],
            ['State', (row) => <DeliveryState row={row} />, 'whitespace-nowrap'],
            ['Attempts', ({ attempts }) => attempts, 'tabular-nums'],
            ['Answer', ({ status, error }) => <PlainText text={error ?? String(status ?? '')} />],
            ['Actions', (row) => (row.state === 'failed' && row.event !== 'test' ? <RetryDelivery row={row} /> : null)],
          ]}
        />
      )}
    </ListView>
  );
}

function DeliveryState({ row: { state, dueAt } }: { row: Delivery }) {
  if (state === 'delivered') return <Badge tone="exoneration">delivered</Badge>;
  if (state === 'failed') return <Badge tone="risk">given up</Badge>;
  return (
    <Badge tone="caution">{dueAt === null ? 'waiting' : <>again at {new Date(dueAt).toLocaleTimeString()}</>}</Badge>
  );
}

function RetryDelivery({ row: { webhook, id } }: { row: Delivery }) {
  const retry = useAction({
    act: () => client.webhooks.retry(webhook, id),
    changes: 'webhooks',
    says: () => 'It is being sent again.',
  });
  return (
    <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
      Send again
    </Button>
  );
}

function RemoveWebhook({ id, url }: { id: string; url: string }) {
  return (
    <ConfirmDialog
      title="Stop telling this address?"
      description={url}
      trigger="Remove"
      triggerLook={{ size: 'small', variant: 'danger' }}
      act={() => client.webhooks.remove(id)}
      changes="webhooks"
      confirm="Remove"
    />
  );
}

function NewWebhook() {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['verdict']);
  return (
    <SecretDialog
      icon={WebhookIcon}
      trigger="New webhook"
      title="A new webhook"
      nameMade={() => 'What its deliveries are signed with'}
      make={() => client.webhooks.create({ url: url.trim(), events: [...events] })}
      changes="webhooks"
      readSecret={({ secret }) => secret}
      what="secret"
      submit="Add webhook"
      onClosed={() => {
        setUrl('');
        setEvents(['verdict']);
      }}
    >
      <InputField
        label="Address"
        hint="https, and not of a private network; such an address goes into the file of settings"
        type="url"
        required
        value={url}
        onChange={setUrl}
      />
      <Checklist legend="Tell it when" options={eventTitles} chosen={events} onChange={setEvents} />
    </SecretDialog>
  );
}
