import type { Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Progress } from '@agonhq/core/runs';
import { listenForInterrupt } from '../process.ts';
import { printDuration } from './format.ts';
import { printNote, sanitize } from './style.ts';

/** A line about what goes on: redrawn in a terminal, written every few seconds in a log. */
export function openStatusLine({ quiet, stream = process.stderr }: { quiet: boolean; stream?: NodeJS.WriteStream }) {
  const pauseMs = stream.isTTY ? 100 : 5_000;
  let shownAt = stream.isTTY ? -pauseMs : performance.now();
  let isDrawn = false;
  return {
    show(text: string) {
      if (quiet || performance.now() - shownAt < pauseMs) return;
      shownAt = performance.now();
      isDrawn = stream.isTTY;
      stream.write(stream.isTTY ? `\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`);
    },
    clear() {
      if (isDrawn) stream.write('\r\u001b[K');
    },
  };
}

/** Progress on standard error. */
export interface ProgressLine {
  show(progress: Progress): void;
  note(text: string): void;
  /** `labels`: also of what was done before. `whose`: the system that judged, where there are several. */
  end(summary: Progress, labels: Record<string, number>, whose?: string): void;
  stop(): void;
}

export interface ProgressLineOptions {
  quiet: boolean;
  spent: () => Usage;
  stream?: NodeJS.WriteStream;
}

export function openProgressLine({ quiet, spent, stream = process.stderr }: ProgressLineOptions): ProgressLine {
  const started = performance.now();
  const { show, clear } = openStatusLine({ quiet, stream });

  return {
    show: (progress) => show(formatProgress(progress, spent())),
    note(text) {
      clear();
      printNote(text, stream);
    },
    end(summary, labels, whose) {
      clear();
      if (quiet) return;
      const verdicts = Object.entries(labels)
        .map(([label, count]) => `${count} ${label}`)
        .join(', ');
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const judged =
        `${whose === undefined ? '' : `${sanitize(whose)}: `}${summary.judged} judged in ${seconds} s` +
        (summary.skipped > 0 ? `, ${summary.skipped} done before` : '');
      const failed = summary.failed > 0 ? [`${summary.failed} failed`] : [];
      stream.write(`${[`${judged}: ${verdicts}`, ...failed, formatCost(spent())].join(' · ')}\n`);
    },
    stop: clear,
  };
}

/** Does a batch of work with its progress on standard error. Ctrl-C stops it; the hint says how to go on. */
export async function withProgress<Result>(
  { quiet, spent, hint }: { quiet?: boolean; spent: () => Usage; hint: string },
  work: (line: ProgressLine, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, dispose } = listenForInterrupt();
  const line = openProgressLine({ quiet: quiet === true, spent });
  try {
    return await work(line, signal);
  } catch (error) {
    line.stop();
    throw signal.aborted ? new AgonError('cancelled', 'The run was stopped.', hint, { cause: error }) : error;
  } finally {
    dispose();
  }
}

function formatProgress(progress: Progress, usage: Usage): string {
  const done = progress.judged + progress.failed + progress.skipped;
  return [
    `${done}${progress.total === null ? '' : `/${progress.total}`}`,
    `${progress.rate.toFixed(1)}/s`,
    progress.etaSeconds !== null && `${printDuration(progress.etaSeconds)} left`,
    `${progress.running} running`,
    progress.failed > 0 && `${progress.failed} failed`,
    formatCost(usage),
  ]
    .filter(Boolean)
    .join(' · ');
}

function formatCost(usage: Usage): string {
  return usage.costUsd === null ? `${usage.calls} calls, price unknown` : `$${usage.costUsd.toFixed(4)}`;
}
