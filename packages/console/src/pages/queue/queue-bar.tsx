import { useQuery } from '@tanstack/react-query';
import { AlarmClock, ListFilter } from 'lucide-react';
import type { SentReviewQueue } from '../../api/client.ts';
import { queuesQuery, type QueueFilter } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Checkbox, SelectField } from '../../components/field.tsx';
import { formatAgo } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';

interface QueueBarProps {
  filter: QueueFilter;
  change: (changed: Record<string, string | undefined>) => void;
}

/** Which queue, whose cases, in which order. */
export function QueueBar({ filter: { queue, assigned, overdue, sort }, change }: QueueBarProps) {
  const { data: queues = [] } = useQuery(queuesQuery);
  const isAdmin = useMay('admin');
  const late = queues.reduce((sum, one) => sum + one.overdue, 0);
  return (
    <div className="grid items-end gap-3 sm:grid-cols-2 lg:flex lg:flex-wrap">
      <SelectField
        label="Queue"
        className="min-w-0 lg:flex-1"
        value={queue ?? ''}
        none={`All queues (${queues.reduce((sum, one) => sum + countWaiting(one), 0).toLocaleString()})`}
        options={queues.map((one) => [one.id, nameWithCounts(one)])}
        onChange={(value) => change({ queue: value || undefined })}
      />
      <SelectField
        label="For"
        className="min-w-32"
        value={assigned ?? ''}
        none="Anyone"
        options={[
          ['me', 'Me'],
          ['nobody', 'Nobody yet'],
        ]}
        onChange={(value) => change({ assigned: value || undefined })}
      />
      <SelectField
        label="Order"
        className="min-w-36"
        value={sort ?? ''}
        none="Most urgent"
        options={[['due', 'Due first']]}
        onChange={(value) => change({ sort: value || undefined })}
      />
      <Checkbox
        className="min-h-10"
        checked={overdue !== undefined}
        onChange={(event) => change({ overdue: event.target.checked ? 'true' : undefined })}
        label={late === 0 ? 'Only overdue' : `Only overdue (${late.toLocaleString()})`}
      />
      {isAdmin && (
        <ButtonLink to="/queues" icon={ListFilter}>
          Manage queues
        </ButtonLink>
      )}
    </div>
  );
}

export function countWaiting({ waiting }: Pick<SentReviewQueue, 'waiting'>): number {
  return waiting.first + waiting.second + waiting.dispute;
}

function nameWithCounts(queue: SentReviewQueue): string {
  const late = queue.overdue === 0 ? '' : `, ${queue.overdue.toLocaleString()} overdue`;
  return `${queue.name} (${countWaiting(queue).toLocaleString()}${late})`;
}

/** By when it should be decided; said in words where that is past. */
export function DueBadge({ dueAt }: { dueAt: string }) {
  const isLate = new Date(dueAt).getTime() < Date.now();
  return (
    <Badge icon={AlarmClock} tone={isLate ? 'risk' : 'quiet'}>
      {isLate ? `Overdue, due ${formatAgo(dueAt)}` : `Due ${formatAgo(dueAt)}`}
    </Badge>
  );
}
