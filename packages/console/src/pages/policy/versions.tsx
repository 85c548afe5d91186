import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section, Loading, ProblemNotice } from '../../components/page.tsx';
import { type Option, SelectField } from '../../components/field.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import type { ColourTone } from '../../components/tones.ts';
import { client, type PolicyVersion } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { useMay } from '../../session/session.ts';
import { policyDifferenceQuery, versionsQuery } from '../../api/query-options.ts';

interface VersionsProps {
  hash: string;
  against: string | undefined;
  change: (change: Record<string, string | undefined>) => void;
}

export function Versions({ hash, against, change }: VersionsProps) {
  const { data, error, refetch } = useQuery(versionsQuery);
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={4} what="Loading versions" />;
  const other = against ?? data.rows.find((version) => version.hash !== hash)?.hash;
  const options = data.rows.map((row): Option => [row.hash, `${row.name} ${row.version} · ${row.hash.slice(7, 15)}`]);
  return (
    <>
      <Table label="Policies on record" head={['Policy', 'Hash', 'Recorded', 'Cases', '']}>
        {data.rows.map((version) => (
          <tr key={version.hash}>
            <Cell>
              <span className="words">{version.name}</span> <span className="text-quiet">{version.version}</span>{' '}
              {version.active && <Badge tone="exoneration">In force</Badge>}
            </Cell>
            <Cell>
              <code className="font-mono text-sm">{version.hash.slice(7, 19)}</code>
            </Cell>
            <Cell>
              {version.keptAt ? <When moment={version.keptAt} /> : <span className="text-quiet">unknown</span>}
            </Cell>
            <Cell className="tabular-nums">{version.cases}</Cell>
            <Cell>
              <div className="flex flex-wrap items-center gap-2">
                <Button
                  size="small"
                  onClick={() => change({ tab: undefined, hash: version.active ? undefined : version.hash })}
                >
                  Read
                </Button>
                {!version.active && <Enact version={version} active={false} size="small" />}
              </div>
            </Cell>
          </tr>
        ))}
      </Table>
      {data.rows.length > 1 && other && (
        <Section title="Compare">
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField
              label="From"
              value={other}
              onChange={(value) => change({ against: value })}
              options={options}
            />
            <SelectField label="To" value={hash} onChange={(value) => change({ hash: value })} options={options} />
          </div>
          <PolicyDifference from={other} to={hash} />
        </Section>
      )}
    </>
  );
}

interface EnactProps {
  version: Pick<PolicyVersion, 'hash' | 'name' | 'version'>;
  active: boolean;
  onDone?: () => void;
  size?: 'normal' | 'small';
}

export function Enact({ version, active, onDone, size = 'normal' }: EnactProps) {
  const mayAdminister = useMay('admin');
  if (active) return <p role="status">This policy is in force.</p>;
  if (!mayAdminister) return <p className="text-quiet">Putting a policy in force requires the admin scope.</p>;
  return (
    <ConfirmDialog
      title="Put this policy in force?"
      description={
        `New cases will be judged by ${version.name} ${version.version}. ` +
        'Cases in progress finish under the old policy; past cases stay as they are.'
      }
      trigger="Put in force"
      triggerLook={{ size, variant: size === 'small' ? 'secondary' : 'primary', className: 'justify-self-start' }}
      act={() => client.policies.activate(version.hash)}
      changes="policies"
      says={() => `${version.name} ${version.version} is now in force.`}
      onDone={onDone}
      confirm="Put in force"
      variant="primary"
    />
  );
}

const changeLooks: Record<'added' | 'removed' | 'changed', { words: string; tone: ColourTone }> = {
  added: { words: 'Added', tone: 'exoneration' },
  removed: { words: 'Removed', tone: 'risk' },
  changed: { words: 'Changed', tone: 'caution' },
};

/** What changes from one policy to another, clause by clause. */
export function PolicyDifference({ from, to }: { from: string; to: string }) {
  const { data, error, refetch } = useQuery(policyDifferenceQuery(from, to));
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={3} what="Comparing" />;
  if (data.changes.length === 0) return <p>No differences.</p>;
  return (
    <ul className="grid gap-3">
      {data.changes.map(({ at, kind, what, before, after }, index) => (
        <li key={index} className="grid gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={changeLooks[kind].tone}>{changeLooks[kind].words}</Badge>{' '}
            <code className="font-mono text-sm">{at}</code> <span className="text-quiet">{what}</span>
          </p>
          {kind !== 'added' && (
            <p className="words border-s-4 border-risk ps-3">
              <del className="no-underline">
                <span className="sr-only">Before: </span>
                {formatValue(before)}
              </del>
            </p>
          )}
          {kind !== 'removed' && (
            <p className="words border-s-4 border-exoneration ps-3">
              <ins className="no-underline">
                <span className="sr-only">After: </span>
                {formatValue(after)}
              </ins>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Words as they are; lists and examples a line each. */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(formatValue).join('\n');
  if (value !== null && typeof value === 'object')
    return Object.values(value).map(formatValue).filter(Boolean).join('\n');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
