import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { client, type ApiKey, type KeyScope, type SentActor } from '../../api/client.ts';
import { keysQuery, peopleQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Checklist, InputField, useFields } from '../../components/field.tsx';
import { EmptyState, QueryView, Section } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { signInWaysQuery } from '../../session/session.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { TextLink } from '../../components/button.tsx';

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
      trigger="Revoke"
      triggerLook={{ size: 'small', variant: 'danger' }}
      act={() => client.keys.revoke(id)}
      changes="keys"
      confirm="Revoke"
    />
  );
}

const blank = { name: '', reviewer: '', expires: '' };

function NewKey() {
  const { given, field, reset } = useFields(blank);
  const [granted, setGranted] = useState<readonly KeyScope[]>(['read']);
  const [name, reviewer] = [given.name.trim(), given.reviewer.trim()];
  return (
    <SecretDialog
      icon={KeyRound}
      trigger="New key"
      title="A new key"
      nameMade={(made) => `The key of ${made.name}`}
      make={() =>
        client.keys.create({
          name,
          scopes: [...granted],
          ...(reviewer === '' ? {} : { reviewer }),
          ...(given.expires === '' ? {} : { expiresAt: new Date(`${given.expires}T23:59:59`).toISOString() }),
        })
      }
      changes="keys"
      readSecret={({ key }) => key}
      what="key"
      submit="Create key"
      onClosed={() => {
        reset();
        setGranted(['read']);
      }}
    >
      <InputField label="Name" hint="Who or what uses it" required maxLength={100} {...field('name')} />
      <Checklist
        legend="May"
        options={scopeTitles.map(([scope, title]) => [scope, <ScopeTitle key={scope} scope={scope} title={title} />])}
        chosen={granted}
        onChange={setGranted}
      />
      <InputField
        label="Decides as"
        hint="In whose name its decisions are recorded; the key’s own name where left empty"
        maxLength={100}
        {...field('reviewer')}
      />
      <InputField label="Until" hint="No end where left empty" type="date" {...field('expires')} />
    </SecretDialog>
  );
}

function ScopeTitle({ scope, title }: { scope: string; title: string }) {
  return (
    <>
      <b className="font-medium">{scope}</b>: {title}
    </>
  );
}

/** Who signed in or did something, as the audit log has it. */
function PeopleList() {
  const people = useQuery(peopleQuery);
  return (
    <Section title="Seen lately" lead="Who signed in or changed something here, by the audit log.">
      <QueryView query={people} what="Loading people">
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="text-quiet">Nobody with a key or an account did anything yet.</p>
          ) : (
            <DataTable
              label="Seen lately"
              rows={rows}
              columns={[
                ['Name', ({ name, key }) => <PlainText text={name ?? key} />, 'min-w-36'],
                ['Comes by', ({ kind }) => (kind === 'openid' ? 'account' : 'key'), 'whitespace-nowrap'],
                ['May', (row) => <Rights row={row} />, 'min-w-28'],
                ['Last seen', ({ lastSeen }) => <When moment={lastSeen} />],
                [
                  'Signed in',
                  ({ signedInAt }) =>
                    signedInAt === null ? <span className="text-quiet">never</span> : <When moment={signedInAt} />,
                ],
                ['Did', (row) => <Entries row={row} />, 'whitespace-nowrap'],
              ]}
            />
          )
        }
      </QueryView>
    </Section>
  );
}

function Rights({ row: { scopes, roles } }: { row: SentActor }) {
  return (
    <>
      {scopes === null ? <span className="text-quiet">not known any more</span> : scopes.join(', ') || 'nothing'}
      {roles.length > 0 && (
        <span className="block text-sm text-quiet">
          as <PlainText text={roles.join(', ')} />
        </span>
      )}
    </>
  );
}

function Entries({ row: { name, entries } }: { row: SentActor }) {
  const words = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (name === null) return words;
  return (
    <TextLink to="/settings" search={{ tab: 'audit', who: name } as never} aria-label={`${words} of ${name}`}>
      {words}
    </TextLink>
  );
}
