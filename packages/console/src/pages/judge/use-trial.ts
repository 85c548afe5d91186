import { toRecord, toText } from '@agonhq/engine/view';
import { useCallback, useEffect, useRef, useState } from 'react';
import { client, type Connection, watchedClient, type SentCaseRecord } from '../../api/client.ts';
import { describeProblem, isAbort } from '../../api/problem.ts';
import { announceSignOut, queries } from '../../api/queries.ts';
import { showProblem } from '../../components/toasts.tsx';
import type { TrialJob, ConsoleOrder } from '../../jobs/console-job.ts';
import { findConsoleJob } from '../../jobs/index.ts';
import { endTrial, foldTrial, trialFromAnswer } from '../../trial/fold-trial.ts';
import { type JudgedFile, newTrial, type SentTrialEvent, type TrialView } from '../../trial/trial-view.ts';

/** Events of a moment are folded together: a page is drawn some times a second, not for every word. */
const momentMs = 30;

/** The trial of the page: asked for here, or joined. One at a time; whoever leaves the page leaves the trial. */
export function useTrial() {
  const [view, setView] = useState<TrialView | null>(null);
  // Null of a trial that somebody else asked for.
  const [order, setOrder] = useState<ConsoleOrder | null>(null);
  const [connection, setConnection] = useState<Connection>('steady');
  const [sent, setSent] = useState<number | null>(null);
  const [unopened, setUnopened] = useState<unknown>(null);
  const trial = useRef<AbortController | null>(null);
  useEffect(() => () => trial.current?.abort(), []);

  /** Ends what was heard before; what comes late of it is not shown any more. */
  const renew = useCallback(() => {
    trial.current?.abort();
    const control = new AbortController();
    trial.current = control;
    setConnection('steady');
    setSent(null);
    setUnopened(null);
    return control;
  }, []);

  const hear = useCallback(async (events: AsyncIterable<SentTrialEvent>, { signal }: AbortController) => {
    let waiting: SentTrialEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      const told = waiting;
      waiting = [];
      if (!signal.aborted && told.length > 0) setView((before) => before && foldTrial(before, told));
    };
    try {
      for await (const event of events) {
        waiting.push(event);
        timer ??= setTimeout(show, momentMs);
      }
      show();
      void queries.invalidateQueries({ queryKey: ['cases'] });
    } catch (error) {
      show();
      if (signal.aborted || isAbort(error)) return;
      const { status, code } = describeProblem(error);
      if (status === 401) announceSignOut();
      // Somebody else may have stopped it.
      setView(
        (before) => before && (code === 'cancelled' ? endTrial(before, 'stopped') : endTrial(before, 'failed', error)),
      );
    } finally {
      clearTimeout(timer);
      if (!signal.aborted) setConnection('steady');
    }
  }, []);

  const tellWhile = (control: AbortController) => (now: Connection) => {
    if (!control.signal.aborted) setConnection(now);
  };

  const begin = useCallback(
    (job: TrialJob, asked: ConsoleOrder) => {
      const control = renew();
      setOrder(asked);
      setView(newTrial(job, asked.known));
      const tellSent = (now: number | null) => void (control.signal.aborted || setSent(now));
      void hear(asked.stream(watchedClient(tellWhile(control), tellSent), control.signal), control);
    },
    [renew, hear],
  );

  /** Shows a case by its id: live while it is judged, from the record afterwards. */
  const open = useCallback(
    (id: string) => {
      const control = renew();
      setOrder(null);
      setView(null);
      void (async () => {
        try {
          const found = openCase(await client.cases.get(id, { signal: control.signal }));
          if (control.signal.aborted) return;
          setView(found);
          if (found.state === 'live')
            await hear(watchedClient(tellWhile(control)).cases.events(id, { signal: control.signal }), control);
        } catch (error) {
          if (!control.signal.aborted) setUnopened(error);
        }
      })();
    },
    [renew, hear],
  );

  const stop = () => {
    trial.current?.abort();
    setConnection('steady');
    setView((before) => before && endTrial(before, 'stopped'));
    // Whoever only goes away may come back, so the server would hold it on for a while.
    if (view?.id) void client.cases.stop(view.id).catch(showProblem);
  };

  const leave = useCallback(() => {
    renew();
    setOrder(null);
    setView(null);
  }, [renew]);

  return { view, order, connection, sent, unopened, begin, open, stop, leave };
}

/** A case as it is found on record: its whole trial, or what is to be judged in it. */
function openCase({ id, job: jobId, content, answer, live }: SentCaseRecord): TrialView {
  const job = findConsoleJob(jobId);
  if (answer !== null) return trialFromAnswer(job, answer);
  const given = toRecord(content);
  const texts = ['text', 'prompt', 'response'].flatMap((name) => {
    const text = toText(given[name]);
    return text === null ? [] : [{ id: name, text }];
  });
  return newTrial(job, {
    id,
    state: live ? 'live' : 'stopped',
    sources: job.readSources(texts),
    images: listKept(given['images'], 'image'),
    recordings: (['audio', 'video'] as const).flatMap((kind) =>
      listKept(given[kind], kind).map((file) => ({ ...file, kind, seconds: null })),
    ),
  });
}

function listKept(files: unknown, kind: string): JudgedFile[] {
  return Array.isArray(files)
    ? files.map((file, index) => ({ id: `${kind}-${index + 1}`, hash: toText(toRecord(file)['attachment']) }))
    : [];
}
