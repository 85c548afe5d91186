import path from 'node:path';
import { Option, type Command } from 'commander';
import { openCurator } from '../../app/index.ts';
import {
  renderLearningMarkdown,
  renderLearningPage,
  buildLearningReport,
  moderationBench,
  openSafetyResults,
  readDataset,
  runExperiment,
  renderTextChart,
  type BatchRun,
  type LearningReport,
} from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addContentDataFlags, collect, positive } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { formatInterval, formatShare, formatSigned } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';
import { saveFile } from '../write-file.ts';
import { openLearningPair } from './learning-pair.ts';
import { readContentOptions, readDataSettings, type ContentDataFlags } from './plan-bench.ts';
import { measureSystem } from './watch-bench.ts';

interface BenchFlags extends ContentDataFlags {
  batches: number;
  mode: 'failures' | 'all';
  seed: number;
  repeats: number;
  json?: boolean;
  report?: string[];
}

/** `agon bench learning` */
export function define(command: Command): void {
  command.description(
    "Aetheria's experiment on continuous learning: each batch is judged without memory and with what was learnt from " +
      'the batches before, starting from an empty library. Shows F1 with bootstrap intervals.',
  );
  addContentDataFlags(command)
    .option('--batches <n>', 'number of batches', positive, 4)
    .addOption(
      new Option('--mode <mode>', "learn from all items (the paper's experiment) or only from failures")
        .choices(['all', 'failures'])
        .default('all'),
    )
    .option('--seed <n>', 'seed for the batches', positive, 1)
    .option('--repeats <n>', 'repeat the experiment n times with consecutive seeds, and show means', positive, 1)
    .option('--json', 'print the figures as JSON, one object per --data')
    .option('--report <file>', 'write table and chart: .html, .md or .json (repeatable)', collect);
  addSettingsFlags(command, { kind: 'bench', job: 'moderation' });
  addExamples(command, [
    'agon bench learning --data items.jsonl --batches 4',
    'agon bench learning --data items.jsonl --mode failures --repeats 5 --report learning.html',
  ]);
  setAction(command, benchLearning);
}

async function benchLearning(flags: BenchFlags): Promise<number> {
  const wrong = flags.report?.find((file) => !['.html', '.md', '.json'].includes(path.extname(file)));
  if (wrong !== undefined)
    throw new AgonError(
      'unknown-report-format',
      `${wrong} is not a report format.`,
      'End the file name in .html, .md or .json.',
    );
  const sets = await Promise.all(
    flags.data.map((file) => readDataset(moderationBench, file, readContentOptions(flags))),
  );
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
      const results = await openSafetyResults();
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
    const report = buildLearningReport(data, repeats, {
      mode,
      batches,
      seed,
      repeats: flags.repeats,
      curator: curator.curator.model,
      models,
    });
    reports.push(report);
    printLines(flags.json ? [JSON.stringify(report)] : renderReport(report));
  }
  for (const file of flags.report ?? []) await saveReport(file, reports);
  return exitCodes.judged;
}

function renderReport(report: LearningReport): string[] {
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
    [
      style('bold', sanitize(data.file)),
      `${data.items} items, ${data.unsafe} unsafe`,
      parameters.mode === 'all' ? 'learns from all items' : 'learns from failures',
      `curator ${sanitize(parameters.curator)}`,
      `seed ${parameters.seed}${parameters.repeats > 1 ? `, ${parameters.repeats} repeats` : ''}`,
    ].join(' · '),
    '',
    ...formatTable([
      ['batch', 'items', 'F1 zero-shot', '', 'F1 learning', '', 'difference', '', 'library', 'learnt', 'left out'],
      ...batches.map((batch) =>
        row(`B${batch.batch}`, batch, [whole(batch.library), whole(batch.learnt), whole(batch.leftOut)]),
      ),
      ...(afterFirst ? [row('after B1', afterFirst, ['', '', ''])] : []),
    ]),
    '',
    ...renderTextChart(report),
    '',
    style(
      'dim',
      'Intervals: 95 %, by bootstrap, differences on the same resamples. Undecided and failed items count as errors.',
    ),
    '',
  ];
}

async function saveReport(file: string, reports: readonly LearningReport[]): Promise<void> {
  const content = file.endsWith('.html')
    ? renderLearningPage(reports)
    : file.endsWith('.md')
      ? renderLearningMarkdown(reports)
      : `${JSON.stringify(reports, null, 2)}\n`;
  await saveFile(file, content, 'Choose another file for the report.');
  process.stderr.write(`Report: ${file}\n`);
}
