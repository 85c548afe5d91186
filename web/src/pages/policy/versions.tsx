import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/card.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/placeholders.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { When } from '../../components/when.tsx';
import { PolicyDifference } from './difference.tsx';
import { Enact } from './enact.tsx';
import { versionsQuery } from './policy-queries.ts';

/** Every policy on record, and what changed between two of them. */
export function Versions({
  hash,
  against,
  change,
}: {
  hash: string;
  against: string | undefined;
  change: (change: Record<string, string | undefined>) => void;
}) {
  const { data, error, refetch } = useQuery(versionsQuery);
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={4} what="Loading versions" />;
  const other = against ?? data.rows.find((version) => version.hash !== hash)?.hash;
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
            <Field label="From">
              <Select value={other} onChange={(event) => change({ against: event.target.value })}>
                {data.rows.map((version) => (
                  <option key={version.hash} value={version.hash}>
                    {version.name} {version.version} · {version.hash.slice(7, 15)}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="To">
              <Select value={hash} onChange={(event) => change({ hash: event.target.value })}>
                {data.rows.map((version) => (
                  <option key={version.hash} value={version.hash}>
                    {version.name} {version.version} · {version.hash.slice(7, 15)}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <PolicyDifference from={other} to={hash} />
        </Section>
      )}
    </>
  );
}
