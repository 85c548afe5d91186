import { useQuery } from '@tanstack/react-query';
import { AlarmClock, ArrowDown, ArrowUp, Plus } from 'lucide-react';
import { client, type SentReviewQueue } from '../../api/client.ts';
import { queuesQuery } from '../../api/query-options.ts';
import { showCount, showPercent } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink, TextLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Card, EmptyState, Page, QueryView } from '../../components/page.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { describeMinutes, describeRules } from './describe-rules.ts';
import { EditQueue } from './edit-queue.tsx';
import { useAction } from '../../components/use-action.ts';

/** The queues in their order: what each takes, by when, and what waits in it. */
export function QueuesPage() {
  const queues = useQuery(queuesQuery);
  const isAdmin = useMay('admin');
  const move = useAction({
    act: ({ id, position }: { id: string; position: number }) => client.queues.change(id, { position }),
    changes: 'queue',
  });
  if (!isAdmin)
    return (
      <Page title="Queues">
        <EmptyState title="Administrators only">
          Your key lacks the <code className="font-mono">admin</code> scope.
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title="Queues"
      lead={
        'A case waits in the first queue whose rules it meets, else in the default one. When you change something ' +
        'here, every waiting case moves to where it belongs.'
      }
      actions={
        <>
          <ButtonLink to="/queue">Back to review</ButtonLink>
          <EditQueue queue={null} trigger="New queue" triggerLook={{ icon: Plus, variant: 'primary' }} />
        </>
      }
    >
      <QueryView query={queues} what="Loading queues">
        {(rows) => (
          <ol aria-label="Queues" className="grid gap-4">
            {rows.map((queue, place) => (
              <li key={queue.id}>
                <QueueCard
                  queue={queue}
                  isFirst={place === 0}
                  isLast={place >= rows.length - 2}
                  busy={move.isPending}
                  onMove={(by) => move.mutate({ id: queue.id, position: place + by })}
                />
              </li>
            ))}
          </ol>
        )}
      </QueryView>
    </Page>
  );
}

interface QueueCardProps {
  queue: SentReviewQueue;
  isFirst: boolean;
  isLast: boolean;
  busy: boolean;
  onMove: (by: -1 | 1) => void;
}

function QueueCard({ queue, isFirst, isLast, busy, onMove }: QueueCardProps) {
  const { id, name, rules, assignees, dueMinutes, waiting, overdue, nextDue, quality } = queue;
  const isDefault = queue.createdAt === null;
  const lines = describeRules(rules);
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="words min-w-0 text-xl">
          <PlainText text={name} />
        </h2>
        {overdue > 0 && (
          <Badge tone="risk" icon={AlarmClock}>
            {showCount(overdue)} overdue
          </Badge>
        )}
        {!isDefault && (
          <span className="ml-auto flex flex-wrap gap-2">
            <Button
              size="small"
              icon={ArrowUp}
              aria-label={`Move ${name} up`}
              disabled={isFirst || busy}
              onClick={() => onMove(-1)}
            />
            <Button
              size="small"
              icon={ArrowDown}
              aria-label={`Move ${name} down`}
              disabled={isLast || busy}
              onClick={() => onMove(1)}
            />
            <EditQueue queue={queue} trigger="Change" triggerLook={{ size: 'small' }} />
            <RemoveQueue queue={queue} />
          </span>
        )}
      </div>
      <ul className="flex flex-wrap gap-1.5">
        {(lines.length > 0 ? lines : [isDefault ? 'What no other queue takes' : 'Every case']).map((line) => (
          <li key={line} className="max-w-full">
            <Badge>
              <PlainText className="words min-w-0" text={line} />
            </Badge>
          </li>
        ))}
      </ul>
      <p className="text-sm text-quiet">
        {dueMinutes === null ? 'No time limit' : `To be decided within ${describeMinutes(dueMinutes)}`}
        {' · '}
        <PlainText text={assignees.length === 0 ? 'everybody reviews' : `for ${assignees.join(', ')}`} />
        {nextDue !== null && (
          <>
            {' · '}next due <When moment={nextDue} />
          </>
        )}
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
        {(
          [
            ['first', 'first review'],
            ['second', 'second review'],
            ['dispute', 'disputes'],
          ] as const
        ).map(([stage, words]) => (
          <TextLink
            key={stage}
            to="/queue"
            search={{ queue: id, stage: stage === 'first' ? undefined : stage } as never}
          >
            {showCount(waiting[stage])} {words}
          </TextLink>
        ))}
      </p>
      {quality && (
        <p className="text-sm">
          {quality.interval === null
            ? 'Nobody has decided a case of this sample yet.'
            : `The machine was right in ${showCount(quality.agreed)} of ${showCount(quality.of)} decided samples: ` +
              `${showPercent(quality.agreed / quality.of)} (95 %: ${showPercent(quality.interval[0])} to ` +
              `${showPercent(quality.interval[1])}).`}
        </p>
      )}
    </Card>
  );
}

function RemoveQueue({ queue: { id, name } }: { queue: SentReviewQueue }) {
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description={
        'What waits in it goes to the next queue that takes it. Of a quality sample, what nobody has decided waits ' +
        'no more. Decisions stay.'
      }
      trigger="Remove"
      triggerLook={{ size: 'small', variant: 'danger' }}
      confirm="Remove queue"
      act={() => client.queues.remove(id)}
      changes="queue"
    />
  );
}
