import { writeFile } from 'node:fs/promises';
import {
  evaluationMarkdown, evaluationPage, evaluationReport, fitCalibration, fitReferenceOn, openResults, readExchangeData,
  type EvaluationReport, type EvaluatorRuns, type LabelledData, type LabelledExchange, type SystemRun,
} from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import type { Exchange } from '../../evaluation/index.ts';
import { modelFamily } from '../../reasoners/index.ts';
import { reportFormatOf } from '../../reports/index.ts';
import { mergeSettings, type Settings } from '../../settings/index.ts';
import { openEvaluators, type OpenEvaluator } from '../bench-evaluators.ts';
import { evaluationTable } from '../bench-evaluation-table.ts';
import { exchangeOptionsFrom, type DataFlags } from '../bench-flags.ts';
import { calibrationWords } from '../calibration-words.ts';
import { measureSystem, type MeasureOptions } from '../measure-system.ts';
import { numbersIn } from '../number-range.ts';
import { exitCodes } from '../print-error.ts';
import { evaluationSettingsFor, type EvaluationSettingsFlags } from '../settings-flags.ts';

export interface BenchEvaluationFlags extends DataFlags, EvaluationSettingsFlags {
  evaluators?: string[];
  repeats: number;
  delta?: number;
  gamma?: number;
  out?: string;
  json?: boolean;
  report?: string[];
  fitReference?: string;
  fitCalibration?: string;
}

type Data = LabelledData<LabelledExchange>;
/** What the debate spent, by repeat and exchange. */
type Budgets = Map<number, Map<Exchange, number>>;

/** `agon bench evaluation`: returns the exit code. */
export async function benchEvaluationCommand(flags: BenchEvaluationFlags): Promise<number> {
  const renderers = (flags.report ?? []).map((file) => ({ file, render: rendererOf(file) }));
  const reading = exchangeOptionsFrom(flags);
  const sets = await Promise.all(flags.data.map((file) => readExchangeData(file, reading)));
  const budgets: Budgets = new Map();
  const { evaluators, notes } = await openEvaluators(await settingsFrom(flags), {
    names: flags.evaluators,
    rounds: flags.rounds === undefined ? [] : numbersIn('--rounds', flags.rounds, [1, 10]),
    agents: flags.agents === undefined ? [] : numbersIn('--agents', flags.agents, [1, 3]),
    repeats: flags.repeats,
    budgetOf: (repeat, exchange) => budgets.get(repeat)?.get(exchange) ?? null,
  });
  const debate = evaluators.find(({ evaluator }) => evaluator.method === 'debate');
  const learnedFrom = debate ?? (evaluators.length === 1 ? evaluators[0] : undefined);
  if (flags.fitReference !== undefined && !debate) throw new AgonError('bad-flag', '--fit-reference: it is fitted on what the critic of a debate states.', 'Add debate to --evaluators.');
  if (flags.fitCalibration !== undefined && !learnedFrom) throw new AgonError('bad-flag', '--fit-calibration: it is fitted on the debate or on a single evaluator.', 'Measure one of them at a time, or add debate to --evaluators.');
  for (const note of notes) process.stderr.write(`agon: ${note}\n`);
  const results = await openResults(flags.out);
  const reports: EvaluationReport[] = [];
  const learned: { data: Data; run: SystemRun<LabelledExchange> }[] = [];
  try {
    for (const data of sets) {
      const measured = await measureAll(evaluators, data, { results, kept: flags.out !== undefined, concurrency: flags.concurrency, quiet: flags.quiet, told: new Set() }, budgets);
      if (learnedFrom) learned.push({ data, run: measured.find(({ evaluator }) => evaluator === learnedFrom.evaluator)!.runs[0]! });
      const { delta, gamma } = evaluators[0]!.plan;
      const report = evaluationReport(data, measured, { familyOf: modelFamily, delta, gamma, notes: [...notes, ...withoutFitted(flags)] });
      reports.push(report);
      process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : `${evaluationTable(report).join('\n')}\n`);
    }
  } finally {
    await results.close();
    await Promise.all(evaluators.flatMap(({ repeats }) => repeats.map((system) => system.close())));
  }
  for (const { file, render } of renderers) await save(file, render(reports), 'Report');
  if (flags.fitReference !== undefined) await save(flags.fitReference, `${JSON.stringify(fitReferenceOn(learned), null, 2)}\n`, 'Reference');
  if (flags.fitCalibration !== undefined) {
    const calibration = fitCalibration('evaluation', learned);
    await save(flags.fitCalibration, `${JSON.stringify(calibration, null, 2)}\n`, 'Calibration');
    if (!flags.quiet) process.stderr.write(`${calibrationWords(calibration)}\n`);
  }
  return exitCodes.judged;
}

/** What is fitted on data must not make the figures on the same data. */
function withoutFitted(flags: BenchEvaluationFlags): string[] {
  const without = (what: string) => `The figures were made without the ${what} that was fitted on them.`;
  return [...(flags.fitReference === undefined ? [] : [without('reference')]), ...(flags.fitCalibration === undefined ? [] : [without('calibration')])];
}

/** Rounds and agents may be several here, so that each evaluator is given its own. */
async function settingsFrom(flags: BenchEvaluationFlags): Promise<Settings> {
  const { rounds: _, agents: __, ...others } = flags;
  if (flags.fitCalibration !== undefined && (flags.delta !== undefined || flags.gamma !== undefined)) {
    throw new AgonError('bad-flag', '--fit-calibration goes without --delta and --gamma, which `agon evaluate` does not take.', 'Set evaluation.delta and evaluation.gamma in agon.config.yaml: then both commands have them.');
  }
  const thresholds = { ...(flags.delta === undefined ? {} : { delta: flags.delta }), ...(flags.gamma === undefined ? {} : { gamma: flags.gamma }) };
  const settings = mergeSettings(await evaluationSettingsFor(others), { evaluation: thresholds });
  return mergeSettings(settings, flags.fitReference === undefined ? {} : { evaluation: { reference: false } }, flags.fitCalibration === undefined ? {} : { calibration: false });
}

/** Repeat by repeat, the control last: what it may spend is what the debate spent in the same repeat. */
async function measureAll(evaluators: readonly OpenEvaluator[], data: Data, options: MeasureOptions, budgets: Budgets): Promise<EvaluatorRuns[]> {
  const runs = new Map(evaluators.map(({ evaluator }) => [evaluator, [] as SystemRun<LabelledExchange>[]]));
  const order = evaluators.toSorted((a, b) => Number(a.evaluator.method === 'control') - Number(b.evaluator.method === 'control'));
  const debate = evaluators.find(({ evaluator }) => evaluator.method === 'debate');
  const count = evaluators[0]!.repeats.length;
  for (let repeat = 1; repeat <= count; repeat++) {
    for (const { evaluator, repeats } of order) {
      const run = await measureSystem(repeats[repeat - 1]!, data, { ...options, repeat });
      runs.get(evaluator)!.push(run);
      if (evaluator === debate?.evaluator) budgets.set(repeat, spentIn(run));
    }
  }
  return evaluators.map(({ evaluator }) => ({ evaluator, runs: runs.get(evaluator)! }));
}

function spentIn({ outcomes }: SystemRun<LabelledExchange>): Map<Exchange, number> {
  return new Map(
    outcomes.flatMap(({ item, judged }): [Exchange, number][] => {
      if (!item || !judged || AgonError.is(item.subject)) return [];
      const tokens = judged.usage.inputTokens + judged.usage.outputTokens;
      return tokens === 0 ? [] : [[item.subject, tokens]];
    }),
  );
}

type Render = (reports: readonly EvaluationReport[]) => string;

function rendererOf(file: string): Render {
  const renderers: Partial<Record<ReturnType<typeof reportFormatOf>, Render>> = {
    html: evaluationPage,
    markdown: evaluationMarkdown,
    json: (reports) => `${JSON.stringify(reports, null, 2)}\n`,
  };
  const render = renderers[reportFormatOf(file)];
  if (!render) throw new AgonError('unknown-report-format', `A bench has no report of the kind of ${file}.`, 'End the name in .html, .md or .json.');
  return render;
}

async function save(file: string, content: string, what: string): Promise<void> {
  await writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message);
    throw new AgonError('cannot-write', `${file} cannot be written: ${reason}.`, 'Choose another place for it; with --out nothing is judged twice.', { cause: error });
  });
  process.stderr.write(`${what}: ${file}\n`);
}
