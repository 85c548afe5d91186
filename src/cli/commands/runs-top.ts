import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import { snapshotOf, type Snapshot } from '../../runs/index.ts';
import { listenForInterrupt } from '../process.ts';
import { drawLive } from '../terminal/live-view.ts';
import { formatError, exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { sanitize, printLines, style } from '../terminal/style.ts';
import { renderSnapshot } from '../runs/top-lines.ts';

export interface RunsTopFlags extends LedgerFlags {
  once?: boolean;
  json?: boolean;
}

const refreshMs = 1000;

/** `agon runs top`: a live view in a terminal; one look at it elsewhere. */
export function runsTopCommand(flags: RunsTopFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    if (flags.json) printLines([JSON.stringify(await snapshotOf(ledger))]);
    else if (flags.once || !process.stdout.isTTY) printLines(renderSnapshot(await snapshotOf(ledger)));
    else await watch(ledger);
    return exitCodes.judged;
  });
}

/** Until Ctrl-C. A ledger that cannot be reached for a while is asked again. */
async function watch(ledger: Ledger): Promise<void> {
  const { signal, dispose } = listenForInterrupt();
  let snapshot: Snapshot = await snapshotOf(ledger);
  let problem: string[] = [];
  let tookMs = 0;
  const drawing = drawLive(process.stdout, () => [
    {
      done: false,
      lines: [...renderSnapshot(snapshot), ...problem, style('dim', 'Ctrl-C ends this view; the runs go on.')],
    },
  ]);
  try {
    while (!signal.aborted) {
      drawing.changed();
      // Counting a large run takes a while, of which whoever works on it should feel little.
      await pause(Math.max(refreshMs, 4 * tookMs), undefined, { signal }).catch(() => undefined);
      const began = performance.now();
      try {
        snapshot = await snapshotOf(ledger);
        problem = [];
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        problem = [style('yellow', sanitize(formatError(error)))];
      }
      tookMs = performance.now() - began;
    }
  } finally {
    drawing.end();
    dispose();
  }
}
