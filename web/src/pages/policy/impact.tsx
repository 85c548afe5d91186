import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { client } from '../../api/client.ts';
import type { ImpactReport } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { useMay } from '../../session/self.ts';
import { useServerTask } from './use-work.ts';
import { TaskProgress } from './work-bar.tsx';

const sampleSizes = [50, 200, 1000];

/** Which past verdicts would flip? */
export function Impact({ hash }: { hash: string }) {
  const mayJudge = useMay('judge');
  const [sample, setSample] = useState(200);
  const work = useServerTask(
    useCallback((signal: AbortSignal) => client.policies.streamImpact(hash, { sample }, { signal }), [hash, sample]),
  );
  if (!mayJudge) return <p className="text-quiet">Your key may not judge: the scope judge is needed.</p>;
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Past cases">
          <Select
            value={sample}
            disabled={work.state === 'running'}
            onChange={(event) => setSample(Number(event.target.value))}
          >
            {sampleSizes.map((count) => (
              <option key={count} value={count}>
                a sample of {count}
              </option>
            ))}
          </Select>
        </Field>
        {work.state !== 'running' && (
          <Button onClick={work.start}>{work.report ? 'Judge them again' : 'See the impact'}</Button>
        )}
      </div>
      <TaskProgress work={work} what="Judging past cases" />
      {work.report && <ImpactOutcome report={work.report} />}
    </>
  );
}

function ImpactOutcome({
  report: { cases, unchanged, flips, otherClauses, escalated, byClause, failed, embedded },
}: {
  report: ImpactReport;
}) {
  if (cases === 0)
    return (
      <p role="status">
        There is no past case yet.{' '}
        <Link to="/" className="text-link underline">
          Judge something
        </Link>{' '}
        first.
      </p>
    );
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
  return (
    <div className="grid gap-4">
      <Facts
        facts={[
          ['Judged again', cases],
          ['Unchanged', unchanged],
          ['Other clauses', otherClauses],
          ['For a person', `${escalated.before} before, ${escalated.after} after`],
          failures > 0 ? ['Failed', failures] : null,
        ]}
      />
      {Object.keys(flips).length === 0 ? (
        <p role="status">No verdict flips.</p>
      ) : (
        <ul aria-label="Flips" className="flex flex-wrap gap-2">
          {Object.entries(flips).map(([flip, count]) => (
            <li
              key={flip}
              className="rounded-lg border border-caution bg-caution-ground px-3 py-1 font-medium text-caution"
            >
              {flip}: {count}
            </li>
          ))}
        </ul>
      )}
      {embedded > 0 && (
        <p className="text-quiet">
          {embedded} of them were decided by the embedded reasoner, whose score follows no policy’s words: only their
          clauses can change.
        </p>
      )}
      {byClause.length > 0 && (
        <Table label="Changes by clause" head={['Clause', 'Flips', 'Named anew', 'Cases']}>
          {byClause.map(({ clause, flips: ofClause, entered, left, examples }) => (
            <tr key={clause}>
              <Cell>
                {clause === null ? (
                  <span className="text-quiet">none named</span>
                ) : (
                  <code className="font-mono text-sm">{clause}</code>
                )}
              </Cell>
              <Cell className="tabular-nums">
                {Object.entries(ofClause)
                  .map(([flip, count]) => `${flip}: ${count}`)
                  .join(', ') || 'none'}
              </Cell>
              <Cell className="tabular-nums">
                {entered} in, {left} out
              </Cell>
              <Cell>
                {examples.slice(0, 3).map((id) => (
                  <Link key={id} to="/cases/$id" params={{ id }} className="me-2 text-link underline">
                    {id}
                  </Link>
                ))}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
