import { LoaderCircle, Octagon, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Connection } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import type { TrialView } from '../../trial/trial-view.ts';

/** Where a trial stands while it goes on, with a way to stop it. */
export function TrialStatus({
  view,
  connection,
  onStop,
}: {
  view: TrialView;
  connection: Connection;
  onStop: (() => void) | null;
}) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 py-3 sm:py-3">
      <div className="flex min-w-0 items-center gap-3">
        {connection === 'steady' ? (
          <LoaderCircle aria-hidden className="size-5 flex-none animate-spin text-link" />
        ) : (
          <WifiOff aria-hidden className="size-5 flex-none text-caution" />
        )}
        <div className="min-w-0">
          <p className="font-medium">{connection === 'full' ? 'The server is busy' : 'Being judged'}</p>
          <p className="text-sm text-quiet">
            {connection === 'reconnecting'
              ? 'Reconnecting…'
              : connection === 'full'
                ? 'Starts as soon as there is capacity…'
                : view.job.views.describeProgress(view)}{' '}
            <Elapsed />
          </p>
        </div>
      </div>
      {onStop && (
        <Button variant="danger" onClick={onStop}>
          <Octagon aria-hidden className="size-4" /> Stop
        </Button>
      )}
    </Card>
  );
}

/** How long it has been going on, as seen from here. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = Date.now();
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - began) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds < 2 ? null : (
    <span aria-hidden className="tabular-nums">
      · {seconds} s
    </span>
  );
}
