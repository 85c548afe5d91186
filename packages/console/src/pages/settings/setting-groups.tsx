import { ChevronRight } from 'lucide-react';
import type { SettingsInForce } from '../../api/client.ts';
import { Section } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';

type Group = SettingsInForce['groups'][number];
type Setting = Group['settings'][number];

/** Every setting by its block of the file; what nobody set stands behind what holds then. */
export function SettingGroups({ groups }: Pick<SettingsInForce, 'groups'>) {
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
