import { useEffect, useState } from 'react';
import { client } from '../../api/client.ts';
import { isAbort } from '../../api/problem.ts';
import { invalidateRuns } from './evaluations-query.ts';

/** Where a run stands: what its events and its report have in common. */
export interface RunProgress {
  done: number;
  failed: number;
  same: number;
  waiting: number;
  running: number;
  total: number | null;
  etaSeconds: number | null;
}

/** Hears a run's events while it is worked on; null until the first. When it ends, its report is asked for anew. */
export function useRunProgress(id: string, live: boolean): RunProgress | null {
  const [heard, setHeard] = useState<{ id: string; progress: RunProgress } | null>(null);
  useEffect(() => {
    if (!live) return undefined;
    const leave = new AbortController();
    void (async () => {
      try {
        for await (const event of client.runs.events(id, { signal: leave.signal })) {
          const { done, failed, same, waiting, running, total, etaSeconds } = event;
          setHeard({ id, progress: { done, failed, same, waiting, running, total, etaSeconds } });
          if (event.type === 'end') void invalidateRuns();
        }
      } catch (error) {
        // The shell says when the server is away; the report shows the rest.
        if (!isAbort(error)) void invalidateRuns();
      }
    })();
    return () => leave.abort();
  }, [id, live]);
  return live && heard?.id === id ? heard.progress : null;
}
