import { useQuery } from '@tanstack/react-query';
import type { SettingsInForce } from '../../api/client.ts';
import { settingsQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, QueryView, Section } from '../../components/page.tsx';
import { DataTable, Facts } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';
import { ModelsList } from './models-list.tsx';
import { ChevronRight } from 'lucide-react';

/** What the server runs with. It is changed in the file of settings, and read when the server starts. */
export function InForcePanel() {
  const settings = useQuery(settingsQuery);
  return (
    <QueryView query={settings} lines={10} what="Loading settings">
      {(inForce) => (
        <div className="grid min-w-0 gap-8">
          <p className="max-w-3xl text-quiet">
            What this server was started with: its configuration file, its environment and its flags. To change
            something, change it there and start the server again. Keys and other secrets are never shown.
          </p>
          <ModelsList models={inForce.models} />
          <Jobs jobs={inForce.jobs} />
          <Installation inForce={inForce} />
          <SettingGroups groups={inForce.groups} />
        </div>
      )}
    </QueryView>
  );
}

function Jobs({ jobs }: Pick<SettingsInForce, 'jobs'>) {
  return (
    <Section title="Who sits where">
      <ul className="grid gap-4 lg:grid-cols-3">
        {jobs.map(({ id, title, method, sensitivity, seats, problem }) => (
          <li key={id} className="min-w-0">
            <Card className="grid h-full content-start gap-3">
              <h3 className="text-lg">{title}</h3>
              <p className="flex flex-wrap gap-2">
                {method !== null && <Badge>{method}</Badge>}
                <Badge>sensitivity {sensitivity}</Badge>
              </p>
              {problem && (
                <p className="words text-sm text-caution">
                  {problem.message} {problem.hint}
                </p>
              )}
              <Facts
                className="grid gap-1.5"
                valueClass="font-mono text-sm break-all"
                facts={Object.entries(seats).map(([seat, model]) => [seat, model])}
              />
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const partStates = { there: 'there', altered: 'altered', missing: 'missing', 'not-added': 'not added' } as const;

function Installation({ inForce }: { inForce: SettingsInForce }) {
  const { agon, ledger, policy, openid, webhooks, ffmpeg, installed } = inForce;
  return (
    <Section title="Installation">
      <Card className="grid gap-4">
        <Facts
          facts={[
            ['Agon', agon],
            ['Policy in force', `${policy.name} ${policy.version}`],
            ['Ledger', `${ledger.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${ledger.place}`],
            ['Kept until', 'somebody has it forgotten, or prunes the ledger (agon ledger prune)'],
            ['Recordings', ffmpeg.version ?? ffmpeg.problem?.message ?? ''],
            [
              'Accounts',
              openid === null
                ? 'none (server.openid)'
                : `${openid.name ?? openid.issuer}, by the claim ${openid.claim}`,
            ],
            [
              'Webhooks of the file',
              webhooks.map(({ host, events }) => `${host}: ${events.join(', ')}`).join('; ') || 'none',
            ],
          ]}
        />
        {openid && (
          <Facts
            facts={[
              ...Object.entries(openid.roles).map(([role, scopes]) => [`Role ${role}`, scopes.join(', ')] as const),
              openid.everybody.length > 0 ? ['Everybody', openid.everybody.join(', ')] : null,
            ]}
          />
        )}
      </Card>
      <DataTable
        label="Models on this machine"
        rows={installed}
        columns={[
          ['Model on this machine', ({ id }) => <span className="font-mono text-sm">{id}</span>, 'min-w-36'],
          ['What it does', ({ purpose }) => <PlainText text={purpose} />, 'min-w-56'],
          ['Licence', ({ licence }) => licence, 'min-w-32 text-sm'],
          ['Size', ({ bytes }) => `${Math.max(1, Math.round(bytes / 1e6))} MB`, 'whitespace-nowrap tabular-nums'],
          ['State', ({ state }) => <Badge tone={stateTones[state]}>{partStates[state]}</Badge>, 'whitespace-nowrap'],
        ]}
      />
    </Section>
  );
}

const stateTones = { there: 'exoneration', altered: 'risk', missing: 'risk', 'not-added': 'quiet' } as const;

type Group = SettingsInForce['groups'][number];
type Setting = Group['settings'][number];

/** Every setting by its block of the file; what nobody set stands behind what holds then. */
function SettingGroups({ groups }: Pick<SettingsInForce, 'groups'>) {
  return (
    <Section title="All settings" lead="As in docs/configuration.md, with what holds here and where it was set.">
      <div className="grid gap-2">
        {groups.map((group) => (
          <SettingGroup key={group.name} group={group} />
        ))}
      </div>
    </Section>
  );
}

const groupTitles: Readonly<Record<string, string>> = {
  general: 'General',
  server: 'Server and limits',
  budget: 'Budgets',
  defaults: 'Calls to models',
  learn: 'Learning',
};

/** Every other block is a job's. */
function titleGroup(name: string): string {
  return groupTitles[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function SettingGroup({ group: { name, settings } }: { group: Group }) {
  const set = settings.filter(({ source }) => source !== 'default').length;
  return (
    <details className="group/settings min-w-0 rounded-xl border bg-surface" open={set > 0}>
      <summary className="flex cursor-pointer list-none items-center gap-2 px-4 py-3 font-medium">
        <ChevronRight aria-hidden className="size-4 flex-none transition-transform group-open/settings:rotate-90" />
        {titleGroup(name)}
        <span className="ml-auto text-sm font-normal text-quiet">
          {set === 0 ? 'all as shipped' : `${set} of ${settings.length} set`}
        </span>
      </summary>
      <div className="min-w-0 px-3 pb-3">
        <DataTable
          label={titleGroup(name)}
          // What somebody set comes first.
          rows={settings.toSorted((one, other) => Number(isSet(other)) - Number(isSet(one)))}
          columns={[
            ['Setting', (row) => <Name row={row} />, 'min-w-56'],
            ['In force', (row) => <Value row={row} />, 'min-w-32 break-words'],
            ['Set by', (row) => <Source row={row} />, 'min-w-36 text-sm'],
          ]}
        />
      </div>
    </details>
  );
}

function isSet({ source }: Setting): boolean {
  return source !== 'default';
}

function Name({ row: { path, help } }: { row: Setting }) {
  return (
    <>
      <span className="font-mono text-sm break-all">{path}</span>
      <span className="block text-sm text-quiet">{help}</span>
    </>
  );
}

function Value({ row: { value, default: usual } }: { row: Setting }) {
  if (value === null) return <span className="text-quiet">{usual ?? 'not set'}</span>;
  return <PlainText text={wordValue(value)} />;
}

function wordValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString();
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Source({ row: { source, variable } }: { row: Setting }) {
  if (source === 'default') return <span className="text-quiet">nobody</span>;
  if (source === 'settings') return 'file or flag';
  return <span className="font-mono break-all">{variable}</span>;
}
