import { type ServerTask, useServerTask } from '../../api/use-server-task.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { client, type SentImpactReport, type PolicyTest } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, TextLink } from '../../components/button.tsx';
import { DataTable, Facts } from '../../components/table.tsx';
import { SelectField } from '../../components/field.tsx';
import { describeReliability } from '@agonhq/engine/view';
import { useMay } from '../../session/session.ts';
import { ProblemNotice } from '../../components/page.tsx';

/** Does each clause catch its own examples? */
export function TestPolicy({ hash, onReport }: { hash: string; onReport?: (report: PolicyTest) => void }) {
  const mayJudge = useMay('judge');
  const work = useServerTask((signal) => client.policies.streamTest(hash, { signal }), followProgress);
  const tell = useEffectEvent((report: PolicyTest) => onReport?.(report));
  useEffect(() => {
    if (work.report) tell(work.report);
  }, [work.report]);
  if (!mayJudge) return <p className="text-quiet">Your key lacks the judge scope.</p>;
  return (
    <>
      {work.state !== 'running' && (
        <Button className="justify-self-start" onClick={work.start}>
          {work.report ? 'Test again' : 'Test examples'}
        </Button>
      )}
      <TaskProgress work={work} what="Testing the policy" />
      {work.report && <TestOutcome test={work.report} />}
    </>
  );
}

function TestOutcome({ test: { caught, clauses } }: { test: PolicyTest }) {
  const examples = clauses.reduce((sum, clause) => sum + clause.examples, 0);
  const missed = clauses.filter((clause) => clause.missed.length > 0);
  const unjudged = clauses.filter(({ embedded }) => embedded && !embedded.judged);
  return (
    <div className="grid gap-3">
      <p role="status">
        {caught ? (
          <Badge tone="exoneration">
            All {examples} examples of {clauses.length} clauses are judged correctly
          </Badge>
        ) : (
          <Badge tone="caution">
            {missed.length} of {clauses.length} clauses miss some of their examples
          </Badge>
        )}
      </p>
      {unjudged.map(({ clause, embedded }) => (
        <p key={clause} className="words border-s-4 border-caution ps-3">
          <code className="font-mono text-sm">{clause}</code>: {describeReliability(embedded!)}
        </p>
      ))}
      {missed.map((clause) => (
        <div key={clause.clause} className="grid gap-1">
          <p>
            <code className="font-mono text-sm">{clause.clause}</code>{' '}
            <span className="text-quiet">
              {clause.examples - clause.missed.length} of {clause.examples}
            </span>
          </p>
          <MissedExamples missed={clause.missed} />
        </div>
      ))}
    </div>
  );
}

function MissedExamples({ missed }: { missed: PolicyTest['clauses'][number]['missed'] }) {
  return (
    <ul className="grid gap-1">
      {missed.map((miss, index) => (
        <li key={index} className="words border-s-4 border-caution ps-3">
          {writeExample(miss.example)}{' '}
          <span className="text-quiet">
            ({miss.kind === 'violation' ? 'a violation' : 'allowed'}; judged {miss.outcome})
          </span>
        </li>
      ))}
    </ul>
  );
}

/** How one clause did: for a place beside it. */
export function ClauseResult({ result }: { result: PolicyTest['clauses'][number] | null }) {
  if (result === null) return <p className="text-quiet">The tested policy has no such clause.</p>;
  const { examples, missed, embedded } = result;
  return (
    <>
      <p>
        <Badge tone={missed.length === 0 ? 'exoneration' : 'caution'}>
          {examples - missed.length} of {examples} examples
        </Badge>
      </p>
      {embedded && <p className="text-quiet">{describeReliability(embedded)}</p>}
      <MissedExamples missed={missed} />
    </>
  );
}

function writeExample({ text, imageDescription }: PolicyTest['clauses'][number]['missed'][number]['example']): string {
  return [text, imageDescription && `Image: ${imageDescription}`].filter(Boolean).join(' ');
}

const sampleSizes = ['50', '200', '1000'];

/** Which past verdicts would flip? */
export function Impact({ hash }: { hash: string }) {
  const mayJudge = useMay('judge');
  const [sample, setSample] = useState('200');
  const work = useServerTask(
    (signal) => client.policies.streamImpact(hash, { sample: Number(sample) }, { signal }),
    followProgress,
  );
  if (!mayJudge) return <p className="text-quiet">Your key lacks the judge scope.</p>;
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Past cases"
          value={sample}
          disabled={work.state === 'running'}
          onChange={setSample}
          options={sampleSizes.map((count) => [count, `a sample of ${count}`])}
        />
        {work.state !== 'running' && (
          <Button onClick={work.start}>{work.report ? 'Run again' : 'Measure impact'}</Button>
        )}
      </div>
      <TaskProgress work={work} what="Judging past cases" />
      {work.report && <ImpactOutcome report={work.report} />}
    </>
  );
}

function ImpactOutcome({ report }: { report: SentImpactReport }) {
  const { cases, unchanged, flips, otherClauses, escalated, byClause, failed } = report;
  if (cases === 0)
    return (
      <p role="status">
        There are no past cases yet. <TextLink to="/">Judge something</TextLink> first.
      </p>
    );
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
  return (
    <div className="grid gap-4">
      <Facts
        facts={[
          ['Judged again', cases],
          ['Unchanged', unchanged],
          ['Different clauses', otherClauses],
          ['Escalated', `${escalated.before} before, ${escalated.after} after`],
          failures > 0 ? ['Failed', failures] : null,
        ]}
      />
      {Object.keys(flips).length === 0 ? (
        <p role="status">No verdicts flip.</p>
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
      {byClause.length > 0 && (
        <DataTable
          label="Changes by clause"
          rows={byClause}
          columns={[
            [
              'Clause',
              ({ clause }) =>
                clause === null ? (
                  <span className="text-quiet">none named</span>
                ) : (
                  <code className="font-mono text-sm">{clause}</code>
                ),
            ],
            [
              'Flips',
              ({ flips: ofClause }) =>
                Object.entries(ofClause)
                  .map(([flip, count]) => `${flip}: ${count}`)
                  .join(', ') || 'none',
              'tabular-nums',
            ],
            ['Cited', ({ entered, left }) => `${entered} added, ${left} removed`, 'tabular-nums'],
            [
              'Cases',
              ({ examples }) =>
                examples.slice(0, 3).map((id) => (
                  <TextLink key={id} to="/cases/$id" params={{ id }} className="me-2">
                    {id}
                  </TextLink>
                )),
            ],
          ]}
        />
      )}
    </div>
  );
}

interface Progress {
  done: number;
  total: number | null;
}

function followProgress(before: Progress | null, event: { type: string; [member: string]: unknown }): Progress | null {
  if (event.type !== 'progress') return before;
  return { done: Number(event['done'] ?? 0), total: typeof event['total'] === 'number' ? event['total'] : null };
}

function TaskProgress({ work, what }: { work: ServerTask<Progress, unknown>; what: string }) {
  if (work.state === 'failed') return <ProblemNotice error={work.error} retry={work.start} />;
  if (work.state === 'stopped')
    return (
      <p role="status" className="text-quiet">
        Stopped.
      </p>
    );
  if (work.state !== 'running') return null;
  const { done = 0, total = null } = work.progress ?? {};
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress
        aria-label={what}
        className="h-2 w-48 accent-link"
        {...(total === null ? {} : { value: done, max: Math.max(1, total) })}
      />
      <span className="text-sm text-quiet tabular-nums">{total === null ? 'Starting…' : `${done} of ${total}`}</span>
      <Button size="small" onClick={work.stop}>
        Stop
      </Button>
    </div>
  );
}
