import { runSystem, type BenchResults, type LabelledData, type SystemRun } from '../bench/index.ts';
import { AgonError } from '../errors.ts';
import type { OpenSystem } from './bench-systems.ts';
import { onInterrupt } from './interrupt.ts';
import { errorLine } from './print-error.ts';
import { progressLine } from './progress-line.ts';

/** Runs one system over one set of data, with its progress on standard error. */
export async function measureSystem(
  system: OpenSystem,
  data: LabelledData,
  options: { results: BenchResults; kept: boolean; concurrency: number; quiet?: boolean },
): Promise<SystemRun> {
  const interrupt = onInterrupt();
  const line = progressLine({ quiet: options.quiet === true, spent: () => system.spent() });
  try {
    const run = await runSystem(system, data, {
      results: options.results,
      concurrency: options.concurrency,
      onProgress: line.show,
      onError: (error, at) => line.note(`${data.file}, ${system.name}, line ${at}: ${errorLine(error)}`),
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
