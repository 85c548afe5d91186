import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { client, type Delivery, type Webhook } from '../../api/client.ts';
import { deliveriesQuery, invalidate, webhooksQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, TextLink } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Checkbox, Form, InputField } from '../../components/field.tsx';
import { Card, EmptyState, ListView, Loading, QueryView } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { showProblem, showToast } from '../../components/toasts.tsx';
import { ShownOnce } from './shown-once.tsx';

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
  const test = useMutation({
    mutationFn: () => client.webhooks.test(id),
    onSuccess: async ({ state, status, error }) => {
      if (state === 'delivered') showToast(`It answered ${status}.`);
      else showToast(`It was not delivered: ${error ?? `status ${status}`}.`, 'bad');
      await invalidate('webhooks');
    },
    onError: showProblem,
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
      {problem !== null && (
        <p className="words text-sm text-caution">
          <PlainText text={problem} />
        </p>
      )}
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
                  <TextLink to="/cases/$id" params={{ id }} className="whitespace-nowrap">
                    {id}
                  </TextLink>
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
  const retry = useMutation({
    mutationFn: () => client.webhooks.retry(webhook, id),
    onSuccess: async () => {
      showToast('It is being sent again.');
      await invalidate('webhooks');
    },
    onError: showProblem,
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
      trigger={
        <Button size="small" variant="danger">
          Remove
        </Button>
      }
      act={() => client.webhooks.remove(id)}
      onDone={() => invalidate('webhooks')}
      confirm="Remove"
    />
  );
}

function NewWebhook() {
  const [open, setOpen] = useState(false);
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['verdict']);
  const create = useMutation({
    mutationFn: () => client.webhooks.create({ url: url.trim(), events: [...events] }),
    onSuccess: () => invalidate('webhooks'),
  });
  const close = (to: boolean) => {
    setOpen(to);
    if (to) return;
    create.reset();
    setUrl('');
    setEvents(['verdict']);
  };
  return (
    <Dialog
      title={create.data ? 'What its deliveries are signed with' : 'A new webhook'}
      trigger={
        <Button variant="primary" icon={WebhookIcon}>
          New webhook
        </Button>
      }
      open={open}
      onOpenChange={close}
    >
      {create.data ? (
        <ShownOnce text={create.data.secret} what="secret" onDone={() => close(false)} />
      ) : (
        <Form onSubmit={() => create.mutate()} sending={create} submit="Add webhook">
          <InputField
            label="Address"
            hint="https, and not of a private network; such an address goes into the file of settings"
            type="url"
            required
            value={url}
            onChange={setUrl}
          />
          <fieldset className="grid gap-2">
            <legend className="mb-1 text-sm font-medium">Tell it when</legend>
            {eventTitles.map(([event, title]) => (
              <Checkbox
                key={event}
                label={title}
                checked={events.includes(event)}
                onChange={({ target }) =>
                  setEvents(target.checked ? [...events, event] : events.filter((held) => held !== event))
                }
              />
            ))}
          </fieldset>
        </Form>
      )}
    </Dialog>
  );
}
