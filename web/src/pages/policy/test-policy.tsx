import { useCallback } from 'react';
import { client } from '../../api/client.ts';
import type { PolicyTest } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { useMay } from '../../session/self.ts';
import { useServerTask } from './use-work.ts';
import { TaskProgress } from './work-bar.tsx';

/** Does each clause catch its own examples? */
export function TestPolicy({ hash }: { hash: string }) {
  const mayJudge = useMay('judge');
  const work = useServerTask(
    useCallback((signal: AbortSignal) => client.policies.streamTest(hash, { signal }), [hash]),
  );
  if (!mayJudge) return <p className="text-quiet">Your key may not judge: the scope judge is needed.</p>;
  return (
    <>
      {work.state !== 'running' && (
        <Button className="justify-self-start" onClick={work.start}>
          {work.report ? 'Test again' : 'Test its examples'}
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
  return (
    <div className="grid gap-3">
      <p role="status">
        {caught ? (
          <Badge tone="exoneration">
            All {examples} examples of {clauses.length} clauses are judged right
          </Badge>
        ) : (
          <Badge tone="caution">
            {missed.length} of {clauses.length} clauses miss some of their examples
          </Badge>
        )}
      </p>
      {missed.map((clause) => (
        <div key={clause.clause} className="grid gap-1">
          <p>
            <code className="font-mono text-sm">{clause.clause}</code>{' '}
            <span className="text-quiet">
              {clause.examples - clause.missed.length} of {clause.examples}
            </span>
          </p>
          <ul className="grid gap-1">
            {clause.missed.map((miss, index) => (
              <li key={index} className="words border-s-4 border-caution ps-3">
                {writeExample(miss.example)}{' '}
                <span className="text-quiet">
                  ({miss.kind === 'violation' ? 'breaks it' : 'does not break it'}; judged {miss.outcome})
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function writeExample({ text, imageDescription }: PolicyTest['clauses'][number]['missed'][number]['example']): string {
  return [text, imageDescription && `Image: ${imageDescription}`].filter(Boolean).join(' ');
}
