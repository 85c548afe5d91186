import { runSystem, type BenchResults, type LabelledData, type LabelledItem, type SystemRun } from '../bench/index.ts';
import { AgonError } from '../errors.ts';
import type { OpenSystem } from './bench-systems.ts';
import { onInterrupt } from './interrupt.ts';
import { errorLine } from './print-error.ts';
import { progressLine } from './progress-line.ts';

export interface MeasureOptions {
  results: BenchResults;
  kept: boolean;
  concurrency: number;
  repeat?: number;
  quiet?: boolean;
  /** What was said of items already: a line that no system can read is named once. */
  told?: Set<string>;
}

/** Runs one system over one set of data, with its progress on standard error. */
export async function measureSystem<Subject, Item extends LabelledItem<Subject>>(system: OpenSystem<Subject>, data: LabelledData<Item>, options: MeasureOptions): Promise<SystemRun<Item>> {
  const { told = new Set() } = options;
  const interrupt = onInterrupt();
  const line = progressLine({ quiet: options.quiet === true, spent: () => system.spent() });
  try {
    const run = await runSystem(system, data, {
      results: options.results,
      concurrency: options.concurrency,
      repeat: options.repeat,
      onProgress: line.show,
      onError: (error, at) => {
        const said = `line ${at}: ${errorLine(error)}`;
        if (!told.has(said)) line.note(`${data.file}, ${system.name}, ${said}`);
        told.add(said);
      },
      signal: interrupt.signal,
    });
    const labels = { safe: 0, unsafe: 0, undecided: 0 };
    for (const { label } of run.judged) labels[label] += 1;
    line.end(run.summary, labels);
    if (run.judged.length === 0) throw new AgonError('nothing-judged', `No item of ${data.file} could be judged: there is nothing to measure.`, 'The lines above say why.');
    return run;
  } catch (error) {
    line.stop();
    if (!interrupt.signal.aborted) throw error;
    const hint = options.kept ? 'Run the same command again: it goes on where it stopped.' : 'With a results file, the next run goes on where this one stopped.';
    throw new AgonError('cancelled', 'The run was stopped.', hint, { cause: error });
  } finally {
    interrupt.dispose();
  }
}
