import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import { snapshotOf, type Snapshot } from '../../runs/index.ts';
import { onInterrupt } from '../process.ts';
import { liveBlocks } from '../terminal/live-view.ts';
import { errorLine, exitCodes } from '../print-error.ts';
import { withStandingLedger, type LedgerFlags } from '../open-ledger.ts';
import { plain, printLines, styled } from '../terminal/style.ts';
import { topLines } from '../runs/top-lines.ts';

export interface RunsTopFlags extends LedgerFlags {
  once?: boolean;
  json?: boolean;
}

const refreshMs = 1000;

/** `agon runs top`: a live view in a terminal; one look at it elsewhere. */
export function runsTopCommand(flags: RunsTopFlags): Promise<number> {
  return withStandingLedger(flags, async (ledger) => {
    if (flags.json) printLines([JSON.stringify(await snapshotOf(ledger))]);
    else if (flags.once || !process.stdout.isTTY) printLines(topLines(await snapshotOf(ledger)));
    else await watch(ledger);
    return exitCodes.judged;
  });
}

/** Until Ctrl-C. A ledger that cannot be reached for a while is asked again. */
async function watch(ledger: Ledger): Promise<void> {
  const { signal, dispose } = onInterrupt();
  let snapshot: Snapshot = await snapshotOf(ledger);
  let problem: string[] = [];
  let tookMs = 0;
  const drawing = liveBlocks(process.stdout, () => [
    {
      done: false,
      lines: [...topLines(snapshot), ...problem, styled('dim', 'Ctrl-C ends this view; the runs go on.')],
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
        problem = [styled('yellow', plain(errorLine(error)))];
      }
      tookMs = performance.now() - began;
    }
  } finally {
    drawing.end();
    dispose();
  }
}
