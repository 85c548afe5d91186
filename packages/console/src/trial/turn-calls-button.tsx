import { MessageSquareCode } from 'lucide-react';
import { createContext, lazy, Suspense, use } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Loading } from '../components/page.tsx';
import type { SaidTurn } from './turn-calls.tsx';

/** The case that turns on a page belong to; null where it is not on record. */
export const CaseIdContext = createContext<string | null>(null);

const TurnCalls = lazy(async () => ({ default: (await import('./turn-calls.tsx')).TurnCalls }));

/** Opens what was really sent and said for a turn. */
export function TurnCallsButton({ turn, name }: { turn: SaidTurn; name: string }) {
  const id = use(CaseIdContext);
  if (id === null || turn.state !== 'said') return null;
  const title = turn.round === null ? name : `${name}, round ${turn.round}`;
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
