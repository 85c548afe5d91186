import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { client, type ApiKey, type KeyScope } from '../../api/client.ts';
import { invalidate, keysQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Checkbox, Form, InputField } from '../../components/field.tsx';
import { EmptyState, QueryView } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { signInWaysQuery } from '../../session/session.ts';
import { PeopleList } from './people-list.tsx';
import { ShownOnce } from './shown-once.tsx';

/** What each scope lets its holder do, in the order in which they are granted. */
const scopeTitles: readonly (readonly [KeyScope, string])[] = [
  ['read', 'read cases, runs and figures'],
  ['judge', 'have things judged'],
  ['review', 'decide cases, precedents and policies'],
  ['care', 'see the queue of known images'],
  ['admin', 'everything, these settings included'],
];

export function KeysPanel() {
  const keys = useQuery(keysQuery);
  const { data: ways } = useQuery(signInWaysQuery);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="max-w-2xl text-quiet">
          {ways?.openid
            ? `People sign in with ${ways.openid.name}: their roles are told apart in the file of settings ` +
              '(server.openid). Programs use keys.'
            : 'People and programs use keys. Accounts of an organisation come in by server.openid in the settings.'}
        </p>
        <span className="ml-auto">
          <NewKey />
        </span>
      </div>
      <QueryView query={keys} what="Loading keys">
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={KeyRound} title="No keys yet">
              On this machine none is needed. Create one before others reach the server.
            </EmptyState>
          ) : (
            <DataTable
              label="Keys"
              rows={rows}
              columns={[
                ['Name', ({ name }) => <PlainText text={name} />, 'min-w-36'],
                ['May', ({ scopes }) => scopes.join(', '), 'min-w-28'],
                ['Decides as', ({ reviewer }) => (reviewer === null ? '' : <PlainText text={reviewer} />)],
                [
                  'Last used',
                  ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <When moment={lastUsedAt} />),
                  'whitespace-nowrap',
                ],
                ['State', (key) => <KeyState row={key} />, 'whitespace-nowrap'],
                ['Actions', (key) => (isUsable(key) ? <RevokeKey row={key} /> : null), 'text-right'],
              ]}
            />
          )
        }
      </QueryView>
      <PeopleList />
    </>
  );
}

function isUsable({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function KeyState({ row }: { row: ApiKey }) {
  const { revokedAt, expiresAt } = row;
  if (revokedAt !== null)
    return (
      <Badge tone="quiet">
        revoked <When moment={revokedAt} />
      </Badge>
    );
  if (!isUsable(row)) return <Badge tone="quiet">expired</Badge>;
  return expiresAt === null ? (
    <Badge tone="exoneration">in use</Badge>
  ) : (
    <Badge tone="exoneration">
      until <When moment={expiresAt} />
    </Badge>
  );
}

function RevokeKey({ row: { id, name } }: { row: ApiKey }) {
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      description="Whoever uses it is turned away within seconds, and its sessions end. This cannot be undone."
      trigger={
        <Button size="small" variant="danger">
          Revoke
        </Button>
      }
      act={() => client.keys.revoke(id)}
      onDone={() => invalidate('keys')}
      confirm="Revoke"
    />
  );
}

function NewKey() {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [reviewer, setReviewer] = useState('');
  const [expires, setExpires] = useState('');
  const [granted, setGranted] = useState<readonly KeyScope[]>(['read']);
  const create = useMutation({
    mutationFn: () =>
      client.keys.create({
        name: name.trim(),
        scopes: [...granted],
        ...(reviewer.trim() === '' ? {} : { reviewer: reviewer.trim() }),
        ...(expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
      }),
    onSuccess: () => invalidate('keys'),
  });
  const close = (to: boolean) => {
    setOpen(to);
    if (to) return;
    create.reset();
    setName('');
    setReviewer('');
    setExpires('');
    setGranted(['read']);
  };
  return (
    <Dialog
      title={create.data ? `The key of ${create.data.name}` : 'A new key'}
      trigger={
        <Button variant="primary" icon={KeyRound}>
          New key
        </Button>
      }
      open={open}
      onOpenChange={close}
    >
      {create.data ? (
        <ShownOnce text={create.data.key} what="key" onDone={() => close(false)} />
      ) : (
        <Form onSubmit={() => create.mutate()} sending={create} submit="Create key">
          <InputField
            label="Name"
            hint="Who or what uses it"
            required
            maxLength={100}
            value={name}
            onChange={setName}
          />
          <fieldset className="grid gap-2">
            <legend className="mb-1 text-sm font-medium">May</legend>
            {scopeTitles.map(([scope, title]) => (
              <Checkbox
                key={scope}
                label={
                  <>
                    <b className="font-medium">{scope}</b>: {title}
                  </>
                }
                checked={granted.includes(scope)}
                onChange={({ target }) =>
                  setGranted(target.checked ? [...granted, scope] : granted.filter((held) => held !== scope))
                }
              />
            ))}
          </fieldset>
          <InputField
            label="Decides as"
            hint="In whose name its decisions are recorded; the key’s own name where left empty"
            maxLength={100}
            value={reviewer}
            onChange={setReviewer}
          />
          <InputField label="Until" hint="No end where left empty" type="date" value={expires} onChange={setExpires} />
        </Form>
      )}
    </Dialog>
  );
}
