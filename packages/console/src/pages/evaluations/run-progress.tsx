import { useEffect, useState } from 'react';
import { client, type SentRun, type SentRunReport } from '../../api/client.ts';
import { isAbort } from '../../api/problem.ts';
import { formatDuration } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { ProgressBar } from '../../components/bars.tsx';
import type { ColourTone } from '../../components/tones.ts';
import { invalidate } from '../../api/query-options.ts';

const states: Record<SentRun['state'], { tone: ColourTone; words: string }> = {
  running: { tone: 'implicit', words: 'Running' },
  stopped: { tone: 'caution', words: 'Stopped' },
  finished: { tone: 'exoneration', words: 'Finished' },
  failed: { tone: 'risk', words: 'Failed' },
  cancelled: { tone: 'caution', words: 'Cancelled' },
};

export function RunState({ run: { state, live } }: { run: Pick<SentRun, 'state' | 'live'> }) {
  const { tone, words } = states[state];
  return <Badge tone={tone}>{state === 'running' && !live ? 'Running elsewhere' : words}</Badge>;
}

interface RunBarProps {
  name: string;
  progress: RunProgress | null;
  report: SentRunReport | undefined;
}

/** How far a run is: by its events while it is live, else by its report. */
export function RunBar({ name, progress, report }: RunBarProps) {
  const { done, failed, same, waiting, running } = progress ??
    report?.counts ?? { done: 0, failed: 0, same: 0, waiting: 0, running: 0 };
  // While it is still read, nobody knows how many will come.
  const toGo = Math.max(waiting + running, (progress?.total ?? report?.total ?? 0) - done - failed - same);
  const left = progress?.etaSeconds ?? null;
  return (
    <div className="grid gap-1">
      <ProgressBar
        label={`Progress of ${name}`}
        parts={[
          { name: 'judged', count: done + same, tone: 'exoneration' },
          ...(failed > 0 ? [{ name: 'failed', count: failed, tone: 'risk' as const }] : []),
        ]}
        left={{ name: 'remaining', count: toGo }}
      />
      {left !== null && left > 0 && (
        <p className="text-sm text-quiet">About {formatDuration(left * 1000)} remaining.</p>
      )}
    </div>
  );
}

type Counts = Pick<SentRunReport['counts'], 'done' | 'failed' | 'same' | 'waiting' | 'running'>;
type RunProgress = Counts & Pick<SentRunReport, 'total'> & { etaSeconds: number | null };

/** Hears a run's events while it is worked on; null until the first. When it ends, its report is asked for anew. */
export function useRunProgress(id: string, live: boolean): RunProgress | null {
  const [heard, setHeard] = useState<{ id: string; progress: RunProgress } | null>(null);
  useEffect(() => {
    if (!live) return undefined;
    const leave = new AbortController();
    void (async () => {
      try {
        for await (const event of client.runs.events(id, { signal: leave.signal })) {
          setHeard({ id, progress: event });
          if (event.type === 'end') void invalidate('runs');
        }
      } catch (error) {
        // The shell says when the server is away; the report shows the rest.
        if (!isAbort(error)) void invalidate('runs');
      }
    })();
    return () => leave.abort();
  }, [id, live]);
  return live && heard?.id === id ? heard.progress : null;
}
