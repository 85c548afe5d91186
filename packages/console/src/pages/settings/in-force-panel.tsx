import { useQuery } from '@tanstack/react-query';
import type { SettingsInForce } from '../../api/client.ts';
import { settingsQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, QueryView, Section } from '../../components/page.tsx';
import { DataTable, Facts } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';
import { ModelsList } from './models-list.tsx';
import { SettingGroups } from './setting-groups.tsx';

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
      <div className="min-w-0">
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
      </div>
    </Section>
  );
}

const stateTones = { there: 'exoneration', altered: 'risk', missing: 'risk', 'not-added': 'quiet' } as const;
