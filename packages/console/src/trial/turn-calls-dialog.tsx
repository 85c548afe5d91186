import { MessageSquareCode } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Loading } from '../components/page.tsx';
import type { TurnCallsProps } from './turn-calls-button.tsx';

const TurnCalls = lazy(async () => ({ default: (await import('./turn-calls.tsx')).TurnCalls }));

export function TurnCallsDialog({ id, turn, title }: TurnCallsProps) {
  return (
    <Dialog
      wide
      title={`What was really said: ${title}`}
      trigger={
        <button
          type="button"
          aria-label={`What was said: ${title}`}
          className="ml-auto inline-flex min-h-6 items-center gap-1 rounded text-link underline"
        >
          <MessageSquareCode aria-hidden className="size-3.5" /> What was said
        </button>
      }
    >
      <Suspense fallback={<Loading lines={6} what="Loading what was said" />}>
        <TurnCalls id={id} turn={turn} />
      </Suspense>
    </Dialog>
  );
}
