import type { Run, RunReport } from '../../api/types.ts';
import { formatDuration } from '../../charts/chart-words.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import type { RunProgress } from './use-run-progress.ts';

const states: Record<Run['state'], { tone: Tone; words: string }> = {
  running: { tone: 'implicit', words: 'Running' },
  stopped: { tone: 'caution', words: 'Stopped' },
  finished: { tone: 'exoneration', words: 'Finished' },
  failed: { tone: 'risk', words: 'Failed' },
  cancelled: { tone: 'caution', words: 'Cancelled' },
};

export function RunState({ run: { state, live } }: { run: Pick<Run, 'state' | 'live'> }) {
  const { tone, words } = states[state];
  return <Badge tone={tone}>{state === 'running' && !live ? 'Running elsewhere' : words}</Badge>;
}

/** How far a run is: by its events while it is live, else by its report. */
export function RunBar({
  name,
  progress,
  report,
}: {
  name: string;
  progress: RunProgress | null;
  report: RunReport | undefined;
}) {
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
        left={{ name: 'to go', count: toGo }}
      />
      {left !== null && left > 0 && <p className="text-sm text-quiet">About {formatDuration(left * 1000)} to go.</p>}
    </div>
  );
}
