import { Suspense, useEffect, useMemo, useState } from 'react';
import { attachmentUrl, type Connection } from '../../api/client.ts';
import { useObjectUrls } from '../../components/blurred-image.tsx';
import { Button, ButtonLink, CopyButton } from '../../components/button.tsx';
import { Card, ProblemNotice, Skeleton } from '../../components/page.tsx';
import type { TrialPartProps } from '../../jobs/console-job.ts';
import { findConsoleJob } from '../../jobs/index.ts';
import { PointingProvider } from '../../trial/pointing.tsx';
import type { JudgedFile, TrialView } from '../../trial/trial-view.ts';
import { LoaderCircle, Octagon, WifiOff } from 'lucide-react';

interface TrialPaneProps {
  view: TrialView;
  connection: Connection;
  /** How much of the files was sent, from 0 to 1; null before and after. */
  sent: number | null;
  files: ReadonlyMap<string, File>;
  onStop: (() => void) | null;
  onAgain: (() => void) | null;
}

/** A trial on the page: what is judged and what came of it on the left, how it is judged on the right. */
export function TrialPane({ view, connection, sent, files, onStop, onAgain }: TrialPaneProps) {
  const [ids, given] = useMemo(() => [[...files.keys()], [...files.values()]] as const, [files]);
  const urls = useObjectUrls(given);
  const fileUrl = ({ id, hash }: JudgedFile) =>
    urls[ids.indexOf(id)] ?? (hash !== null && view.id !== null ? attachmentUrl(view.id, hash) : null);
  const { record, views } = findConsoleJob(view.job.id);
  const actions = view.id !== null && (
    <>
      <ButtonLink to={record.page} params={{ id: view.id }} variant="primary" size="small">
        {record.openTitle}
      </ButtonLink>
      <CopyButton text={trialUrl(view.id)}>Copy link</CopyButton>
    </>
  );
  const parts: TrialPartProps = { view, fileUrl, actions };
  return (
    <PointingProvider sources={view.sources}>
      <p role="status" aria-live="polite" className="sr-only">
        {describeNews(view)}
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
        <div
          className="grid gap-4 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:pr-1"
          tabIndex={0}
          role="region"
          aria-label="Content and verdict"
        >
          <Suspense fallback={<Skeleton className="h-40 rounded-xl" />}>
            <views.Subject {...parts} />
          </Suspense>
          {view.state === 'live' && <TrialStatus {...{ view, connection, sent, onStop }} />}
          {view.state === 'failed' && <ProblemNotice error={view.problem} {...(onAgain ? { retry: onAgain } : {})} />}
          {view.state === 'stopped' && <Stopped onAgain={onAgain} />}
          <Suspense>
            <views.Outcome {...parts} />
          </Suspense>
        </div>
        <div className="grid min-w-0 gap-5">
          <Suspense>
            <views.Proceedings {...parts} />
          </Suspense>
          {view.state === 'live' && view.turns.size === 0 && view.claims.size === 0 && (
            <div aria-hidden className="grid gap-3 md:grid-cols-2">
              <Skeleton className="h-40 rounded-xl" />
              <Skeleton className="h-40 rounded-xl" />
            </div>
          )}
        </div>
      </div>
    </PointingProvider>
  );
}

/** Where everybody sees the same trial. */
export function trialUrl(id: string): string {
  return `${location.origin}/?case=${encodeURIComponent(id)}`;
}

function describeNews(view: TrialView): string {
  if (view.state === 'stopped') return 'Judging was stopped.';
  return view.state === 'failed' ? 'Judging failed.' : findConsoleJob(view.job.id).views.describeLatest(view);
}

function Stopped({ onAgain }: { onAgain: (() => void) | null }) {
  return (
    <Card className="grid gap-3">
      <p>
        <strong className="font-medium">Stopped without a verdict.</strong> Completed turns are on record. Judging again
        continues from there.
      </p>
      {onAgain && (
        <div>
          <Button size="small" variant="primary" onClick={onAgain}>
            Resume
          </Button>
        </div>
      )}
    </Card>
  );
}

interface TrialStatusProps {
  view: TrialView;
  connection: Connection;
  sent: number | null;
  onStop: (() => void) | null;
}

function TrialStatus({ view, connection, sent, onStop }: TrialStatusProps) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 py-3 sm:py-3">
      <div className="flex min-w-0 items-center gap-3">
        {connection === 'steady' ? (
          <LoaderCircle aria-hidden className="size-5 flex-none animate-spin text-link" />
        ) : (
          <WifiOff aria-hidden className="size-5 flex-none text-caution" />
        )}
        <div className="min-w-0">
          <p className="font-medium">
            {sent !== null ? 'Being sent' : connection === 'full' ? 'The server is busy' : 'Being judged'}
          </p>
          {sent !== null && <progress aria-label="Sent" value={sent} className="h-2 w-48 accent-link" />}
          <p className="text-sm text-quiet">
            {sent !== null
              ? `${Math.round(sent * 100)} %`
              : connection === 'reconnecting'
                ? 'Reconnecting…'
                : connection === 'full'
                  ? 'Starts as soon as there is capacity…'
                  : findConsoleJob(view.job.id).views.describeProgress(view)}{' '}
            <Elapsed />
          </p>
        </div>
      </div>
      {onStop && (
        <Button icon={Octagon} variant="danger" onClick={onStop}>
          Stop
        </Button>
      )}
    </Card>
  );
}

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
