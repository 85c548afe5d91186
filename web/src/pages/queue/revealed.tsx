import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import type { QueueDecided, QueueItem } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { Score } from '../../components/score.tsx';
import { PlainText } from '../../components/words.tsx';
import { useMay } from '../../session/self.ts';
import { ruleTitle, seatName } from '../../trial/trial-words.ts';
import { stageOutcomes } from './queue-words.ts';
import type { Decision } from './review-session.ts';

/** After the decision: what the machine thinks, beside what the person said. */
export function DecisionResult({
  item,
  decision,
  decided,
  onNext,
}: {
  item: QueueItem;
  decision: Decision;
  decided: QueueDecided;
  onNext: () => void;
}) {
  const mayRead = useMay('read');
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  const { machine, right, stage } = decided;
  return (
    <section aria-label="Your decision and the machine’s" className="grid gap-4">
      <p className="text-lg font-medium">
        {right
          ? 'You and the machine agree.'
          : machine.label === 'undecided'
            ? 'You decided what the machine left open.'
            : 'You contradict the machine.'}{' '}
        <span className="font-normal text-quiet">{stageOutcomes[stage]}</span>
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-1 2xl:grid-cols-2">
        <ResultSide title="You" label={decision.label}>
          <p className="words">
            <PlainText text={decision.why} />
          </p>
          {decision.clause && (
            <p>
              <Badge>
                <span className="font-mono">{decision.clause}</span>
              </Badge>
            </p>
          )}
        </ResultSide>
        <ResultSide title="The machine" label={machine.label}>
          <Facts
            facts={[
              ['Risk score', <Score key="score" value={machine.score} label="Risk score" width="w-16" />],
              ...machine.sides.map(
                ({ role, score }) =>
                  [seatName(role), <Score key={role} value={score} label={seatName(role)} width="w-16" />] as const,
              ),
            ]}
          />
          {machine.rule && (
            <p className="words">
              <span className="block text-sm text-quiet">Decided by {ruleTitle(item.job, machine.rule.id)}</span>
              <PlainText text={machine.rule.why} />
            </p>
          )}
        </ResultSide>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button ref={next} variant="primary" onClick={onNext}>
          Next case <KeyHint>N</KeyHint>
        </Button>
        {mayRead && (
          <Link to="/cases/$id" params={{ id: item.id }} className={buttonClass()}>
            See the whole trial
          </Link>
        )}
      </div>
    </section>
  );
}

function ResultSide({ title, label, children }: { title: string; label: string; children: ReactNode }) {
  return (
    <Card className="grid gap-3">
      <h3 className="flex items-center justify-between gap-2 font-medium">
        {title} <LabelBadge label={label} />
      </h3>
      {children}
    </Card>
  );
}
