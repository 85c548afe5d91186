import { measureBench, type BenchPlan, type FreshSet } from '../../bench/index.ts';
import type { Settings } from '../../settings/index.ts';
import { openBenchLedger } from '../open-ledger.ts';
import { printNote } from '../terminal/style.ts';
import { openBenchReporter, type BenchReportFlags } from './write-bench-reports.ts';
import { renderSet } from './show-set.ts';
import { watchBench } from './watch-bench.ts';

export interface BenchRunFlags extends BenchReportFlags {
  out?: string;
  quiet?: boolean;
}

export interface BenchRunOptions {
  settings: Settings;
  /** Notes for readers beside what the bench itself finds: printed at once, and in the reports. */
  notes?: readonly string[];
  /** The same, only in the reports. */
  remarks?: readonly string[];
}

/**
 * Measures a plan, prints each dataset as it is done, and writes the reports. Returns the sets, and the exit code that
 * thresholds ask for.
 */
export async function runBench(
  plan: BenchPlan,
  flags: BenchRunFlags,
  { settings, notes = [], remarks = [] }: BenchRunOptions,
): Promise<{ sets: FreshSet[]; code: number }> {
  const reporter = openBenchReporter(flags, plan.title);
  await reporter.assertWritable();
  reporter.assertMeasured(plan);
  const ledger = await openBenchLedger(settings);
  for (const note of notes) printNote(note);
  const recorded: string[] = [];
  try {
    const sets = await measureBench(plan, {
      ledger,
      ...(flags.out === undefined ? {} : { out: flags.out }),
      watch: watchBench({ quiet: flags.quiet, kept: ledger !== null || flags.out !== undefined }),
      onRecord: ({ id, resumed }) => {
        recorded.push(id);
        if (resumed > 0) printNote(`continuing bench ${id}: ${resumed} judgements are already on record.`);
      },
      notes: [...notes, ...remarks],
      onNote: printNote,
      onSet: (set) =>
        process.stdout.write(flags.json ? `${JSON.stringify(reporter.json(set))}\n` : `${renderSet(set).join('\n')}\n`),
    });
    const code = await reporter.write(sets);
    if (!flags.quiet)
      for (const id of recorded)
        process.stderr.write(`Recorded as ${id}. To report again: agon bench report ${id} --report bench.html\n`);
    return { sets, code };
  } finally {
    await ledger?.close();
  }
}
