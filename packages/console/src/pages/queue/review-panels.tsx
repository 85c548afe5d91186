import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { client, type QueueDecided, type QueueItem } from '../../api/client.ts';
import { ActionBadge, Badge, LabelBadge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, Loading, ProblemNotice } from '../../components/page.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/table.tsx';
import { KeyHint } from '../../components/hotkeys.tsx';
import { Paragraph, PlainText, When } from '../../components/text.tsx';
import { viewVerdictRisk } from '@agonhq/engine/view';
import { RiskMeter } from '../../components/bars.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { useMay } from '../../session/session.ts';
import { trialFromAnswer } from '../../trial/fold-trial.ts';
import { VerdictBanner } from '../../trial/verdict-banner.tsx';
import { submitKey } from './decide-form.tsx';
import type { SessionDecision } from './review-session.ts';
import { stageOutcomes } from './review-stages.ts';
import { ask } from '../../api/query-options.ts';

interface DecisionResultProps {
  item: QueueItem;
  decision: SessionDecision;
  decided: QueueDecided;
  onNext: () => void;
}

/** After the decision: what the machine thinks, beside what the person said. */
export function DecisionResult({ item, decision, decided, onNext }: DecisionResultProps) {
  const mayRead = useMay('read');
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  const { machine, right, stage } = decided;
  const { describeRule, describeSeat } = findConsoleJob(item.job).terms;
  return (
    <section aria-label="Your decision and the machine’s" className="grid gap-4">
      <p className="text-lg font-medium">
        {right
          ? 'You and the machine agree.'
          : machine.label === 'undecided'
            ? 'You decided what the machine left open.'
            : 'You disagree with the machine.'}{' '}
        <span className="font-normal text-quiet">{stageOutcomes[stage]}</span>
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-1 2xl:grid-cols-2">
        <ResultSide title="You" label={decision.label}>
          {decided.action !== null && (
            <p>
              <ActionBadge action={decided.action} />
            </p>
          )}
          <Paragraph text={decision.why} />
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
              machine.action === null
                ? null
                : (['Proposed', <ActionBadge key="action" action={machine.action} />] as const),
              ['Risk', <RiskMeter key="risk" risk={viewVerdictRisk(machine)} width="w-16" saysBar />],
              ...machine.sides.map(
                ({ role, risk }) =>
                  [
                    describeSeat({ seat: role, round: null }),
                    <RiskMeter key={role} risk={viewVerdictRisk({ risk, bar: machine.bar })} width="w-16" />,
                  ] as const,
              ),
            ]}
          />
          {machine.rule && (
            <p className="words">
              <span className="block text-sm text-quiet">Decided by {describeRule(machine.rule.id)}</span>
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
          <ButtonLink to="/cases/$id" params={{ id: item.id }}>
            Open case
          </ButtonLink>
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

/** For those who have turned blind mode off. */
export function MachineVerdict({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(ask(['cases', id, 'opinion'], (options) => client.cases.get(id, options)));
  const view = useMemo(() => (data?.answer ? trialFromAnswer(findConsoleJob(data.job), data.answer) : null), [data]);
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  return view ? (
    <VerdictBanner view={view} headingLevel="h3" />
  ) : (
    <Loading lines={5} what="Loading the machine’s verdict" />
  );
}

const keys: readonly [key: string, does: string][] = [
  ['S', 'Safe'],
  ['U', 'Unsafe'],
  ['C', 'Search the policy: type, arrows, Enter'],
  ['A', 'Choose the action'],
  ['R', 'Write the reason'],
  [submitKey, 'Record the decision'],
  ['Esc', 'Leave a field, so letters work as shortcuts again'],
  ['N', 'Skip, or go to the next case'],
  ['B', 'Show or blur images and films'],
  ['M', 'Turn the sound of recordings on or off'],
  ['?', 'Show these shortcuts'],
];

export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog title="Keyboard shortcuts" open={open} onOpenChange={onOpenChange}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <KeyHint>{key}</KeyHint>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** What the two said who disagree: in a dispute only. */
export function EarlierDecisions({ earlier }: Pick<QueueItem, 'earlier'>) {
  if (earlier.length === 0) return null;
  return (
    <section aria-label="Earlier decisions" className="grid gap-3">
      <h2 className="text-xl">Earlier decisions</h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {earlier.map(({ by, label, why, clause, action, at }) => (
          <li key={`${by} ${at}`}>
            <Card className="grid h-full content-start gap-2">
              <p className="flex flex-wrap items-center justify-between gap-2">
                <strong className="words font-medium">
                  <PlainText text={by} />
                </strong>{' '}
                <LabelBadge label={label} />
              </p>
              {why && <Paragraph text={why} />}
              <p className="flex flex-wrap items-center gap-2 text-sm text-quiet">
                {clause && (
                  <Badge>
                    <span className="font-mono">{clause}</span>
                  </Badge>
                )}{' '}
                {action && <ActionBadge action={action} />} <When moment={at} />
              </p>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}
