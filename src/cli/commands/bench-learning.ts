import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openCurator } from '../../app/index.ts';
import {
  learningMarkdown,
  learningPage,
  learningReport,
  openResults,
  readContentData,
  runExperiment,
  textChart,
  type BatchRun,
  type LearningReport,
} from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import { readContentOptions, readDataSettings, type ContentDataFlags } from '../bench/data-flags.ts';
import { openLearningPair } from '../bench/learning-pair.ts';
import { measureSystem } from '../bench/watch-bench.ts';
import { exitCodes } from '../print-error.ts';
import { sanitize, printLines, style } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';
import { formatInterval, formatShare, formatSigned } from '../terminal/format.ts';

export interface BenchLearningFlags extends ContentDataFlags {
  batches: number;
  mode: 'failures' | 'all';
  seed: number;
  repeats: number;
  json?: boolean;
  report?: string[];
}

/** `agon bench learning`: returns the exit code. */
export async function benchLearningCommand(flags: BenchLearningFlags): Promise<number> {
  const wrong = flags.report?.find((file) => !['.html', '.md', '.json'].includes(path.extname(file)));
  if (wrong !== undefined)
    throw new AgonError(
      'unknown-report-format',
      `${wrong}: reports are .html, .md or .json.`,
      'Name a file with one of these endings.',
    );
  const sets = await Promise.all(flags.data.map((file) => readContentData(file, readContentOptions(flags))));
  const settings = await readDataSettings(flags);
  const curator = await openCurator(settings);
  const reports: LearningReport[] = [];
  for (const data of sets) {
    const repeats: BatchRun[][] = [];
    let models: Record<string, string> = {};
    for (let repeat = 0; repeat < flags.repeats; repeat++) {
      const pair = await openLearningPair(settings, {
        dataset: path.parse(data.file).name,
        mode: flags.mode,
        curator,
        concurrency: flags.concurrency,
      });
      models = pair.models;
      const results = await openResults();
      try {
        const { batches } = flags;
        const run: Parameters<typeof runExperiment>[1]['run'] = (system, part) =>
          measureSystem({ ...system, spent: () => pair.spent(), close: async () => {} }, part, {
            ...flags,
            results,
            kept: false,
          });
        repeats.push(
          await runExperiment(data, {
            batches,
            seed: flags.seed + repeat,
            control: pair.control,
            learner: pair.learner,
            run,
          }),
        );
      } finally {
        await results.close();
        await pair.close();
      }
    }
    const { mode, batches, seed } = flags;
    const report = learningReport(data, repeats, {
      mode,
      batches,
      seed,
      repeats: flags.repeats,
      curator: curator.curator.model,
      models,
    });
    reports.push(report);
    printLines(flags.json ? [JSON.stringify(report)] : linesOf(report));
  }
  for (const file of flags.report ?? []) await save(file, reports);
  return exitCodes.judged;
}

function linesOf(report: LearningReport): string[] {
  const { data, parameters, batches, afterFirst } = report;
  const row = (
    name: string,
    { items, control, learner, difference }: LearningReport['batches'][number] | NonNullable<typeof afterFirst>,
    rest: readonly string[],
  ) => [
    name,
    String(items),
    formatShare(control.value),
    formatInterval(control.interval),
    formatShare(learner.value),
    formatInterval(learner.interval),
    difference.value === null ? '–' : formatSigned(difference.value),
    difference.interval ? difference.interval.map(formatSigned).join(' to ') : '',
    ...rest,
  ];
  const whole = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
  return [
    `${style('bold', sanitize(data.file))} · ${data.items} items, ${data.unsafe} unsafe · ${parameters.mode === 'all' ? 'all items indexed' : 'failures indexed'} ` +
      `· curator ${sanitize(parameters.curator)} · seed ${parameters.seed}${parameters.repeats > 1 ? `, ${parameters.repeats} repeats` : ''}`,
    '',
    ...formatTable([
      ['batch', 'items', 'F1 zero-shot', '', 'F1 learning', '', 'difference', '', 'library', 'learnt', 'left out'],
      ...batches.map((batch) =>
        row(`B${batch.batch}`, batch, [whole(batch.library), whole(batch.learnt), whole(batch.leftOut)]),
      ),
      ...(afterFirst ? [row('after B1', afterFirst, ['', '', ''])] : []),
    ]),
    '',
    ...textChart(report),
    '',
    style(
      'dim',
      'Intervals: 95 %, by bootstrap; differences on the same resamples. Undecided and failed items count as errors.',
    ),
    '',
  ];
}

async function save(file: string, reports: readonly LearningReport[]): Promise<void> {
  const content = file.endsWith('.html')
    ? learningPage(reports)
    : file.endsWith('.md')
      ? learningMarkdown(reports)
      : `${JSON.stringify(reports, null, 2)}\n`;
  await writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    throw new AgonError(
      'cannot-write',
      `${file} cannot be written: ${error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message)}.`,
      'Choose another place for the report.',
      { cause: error },
    );
  });
  process.stderr.write(`Report: ${file}\n`);
}
