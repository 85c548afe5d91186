import type { SentAnswer } from '../../api/client.ts';
import { Card } from '../../components/page.tsx';
import { PlainText } from '../../components/text.tsx';
import { toRecord } from '@agonhq/engine/view';
import type { TrialTurn } from '../../trial/trial-view.ts';

/** What every turn card shows already. */
const shownElsewhere = new Set([
  'statement',
  'score',
  'evidence',
  'label',
  'concession',
  'clauses',
  'distribution',
  'patterns',
]);

/** What a turn says beside its statement, score and evidence, member by member. */
export function GenericTurnDetails({ turn: { answer } }: { turn: TrialTurn }) {
  const members = Object.entries(toRecord(answer)).filter(([name]) => !shownElsewhere.has(name));
  return members.length === 0 ? null : <Members members={members} />;
}

/** What code computed on the way to the verdict. */
export function ComputedSteps({ answer }: { answer: SentAnswer }) {
  const steps = answer.transcript.filter((entry) => entry.kind === 'computed');
  if (steps.length === 0) return <p className="text-quiet">Nothing was computed.</p>;
  return (
    <ol className="grid gap-3">
      {steps.map(({ key, name, round, value }) => (
        <li key={key}>
          <Card className="grid gap-2">
            <h3 className="font-medium">
              {name} {round !== null && <span className="text-sm text-quiet">round {round}</span>}
            </h3>
            <Members members={Object.entries(typeof value === 'object' && value !== null ? value : { value })} />
          </Card>
        </li>
      ))}
    </ol>
  );
}

function Members({ members }: { members: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className="grid gap-1.5 text-sm">
      {members.map(([name, value]) => (
        <div key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="words">
            {typeof value === 'string' ? (
              <PlainText text={value} />
            ) : (
              <code className="font-mono text-xs">
                <PlainText text={JSON.stringify(value, null, 2)} />
              </code>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
