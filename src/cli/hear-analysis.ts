import type { AnalysisEvent } from '../jobs/documents/index.ts';
import { progressAfter, progressBlocks, startOf } from './analysis-progress.ts';
import { stopped, type Heard } from './hear-trial.ts';
import { onInterrupt } from './interrupt.ts';
import { liveBlocks } from './live-view.ts';

/** What an analysis comes to. While it goes on a terminal shows how far each claim is; unless `silent`. */
export async function hearAnalysis<Result>(
  names: readonly string[],
  analysis: (
    signal: AbortSignal,
  ) => Promise<AsyncGenerator<AnalysisEvent, Result, void>> | AsyncGenerator<AnalysisEvent, Result, void>,
  silent = false,
): Promise<Heard<Result>> {
  const interrupt = onInterrupt();
  let progress = startOf(names);
  let over = false;
  const count = { turns: 0, recalled: 0 };
  const view =
    silent || !process.stdout.isTTY
      ? null
      : liveBlocks(process.stdout, (columns) => (over ? [] : progressBlocks(progress, columns)));
  try {
    view?.changed();
    const trial = await analysis(interrupt.signal);
    for (let next = await trial.next(); ; next = await trial.next()) {
      if (next.done) return { result: next.value, ...count };
      if (next.value.type === 'turn-end') {
        count.turns += 1;
        if (next.value.replayed) count.recalled += 1;
      }
      progress = progressAfter(progress, next.value);
      view?.changed();
    }
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw stopped('The analysis', error);
  } finally {
    over = true;
    view?.end();
    interrupt.dispose();
  }
}
