import { Link } from '@tanstack/react-router';
import { Eye, Image } from 'lucide-react';
import type { QueueRow } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { When } from '../../components/when.tsx';
import { PlainText } from '../../components/words.tsx';
import { reasonLooks } from './queue-words.ts';

/** A case that waits. Nothing here says what the machine thinks of it. */
export function QueueEntry({ row: { id, excerpt, job, modality, urgency, why, openedAt, heldBy } }: { row: QueueRow }) {
  return (
    <li className="relative grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 p-4 has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-link hover:bg-paper sm:grid-cols-[auto_1fr_auto]">
      <Urgency value={urgency} />
      <Link
        to="/queue"
        search={((before: object) => ({ ...before, case: id })) as never}
        preload={false}
        className="min-w-0 text-ink no-underline outline-none after:absolute after:inset-0"
      >
        <span className="words line-clamp-2 font-medium">
          {excerpt ? <PlainText text={excerpt} /> : 'An image without words'}
        </span>
      </Link>
      <p className="col-start-2 text-sm text-quiet sm:col-start-3">
        <When moment={openedAt} />
      </p>
      <p className="col-start-2 flex flex-wrap items-center gap-1.5 sm:col-span-2">
        {why.map((reason) => (
          <Badge key={reason} tone={reasonLooks[reason].tone}>
            {reasonLooks[reason].words}
          </Badge>
        ))}
        {job === 'evaluation' && <Badge>A model’s answer</Badge>}
        {modality?.includes('image') && (
          <Badge>
            <Image aria-hidden className="size-4" /> With an image
          </Badge>
        )}
        {heldBy !== null && (
          <Badge tone="implicit">
            <Eye aria-hidden className="size-4" /> <span className="words">{heldBy} looks at it</span>
          </Badge>
        )}
      </p>
    </li>
  );
}

function Urgency({ value }: { value: number }) {
  return (
    <span
      className="relative row-span-2 mt-1 block h-10 w-2 overflow-hidden rounded-full bg-line"
      title={`Urgency ${value.toFixed(2)}`}
    >
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 rounded-full bg-caution"
        style={{ height: `${Math.max(8, Math.round(value * 100))}%` }}
      />
      <span className="sr-only">Urgency {value.toFixed(2)}</span>
    </span>
  );
}
