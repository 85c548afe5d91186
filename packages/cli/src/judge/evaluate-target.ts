import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readAttackNames } from '@agonhq/core/runs/collect/attacks';
import { assertTokensCountable } from '@agonhq/bench';
import type { Usage } from '@agonhq/engine/debate';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { evaluationJob } from '@agonhq/judges/evaluation';
import type { ItemLine } from '@agonhq/engine/items';
import { createLlmPool } from '@agonhq/models/reasoners';
import {
  answers,
  createCollector,
  describeHardCase,
  isMistake,
  listProbes,
  openResultFile,
  openSteps,
  readAnnotations,
  readPrompts,
  readResults,
  runItems,
  tallyAttacks,
  writeHardCases,
  type AttackFigures,
  type CollectedExchange,
  type HardCase,
  type Probe,
  type Progress,
  type ResultFile,
} from '@agonhq/core/runs';
import { llmSettingsOf } from '@agonhq/core/settings';
import { readTextFile } from '../files.ts';
import { exitCodes, formatError, nothingJudgedError } from '../print-error.ts';
import { readJobSettings } from '../read-settings.ts';
import { printCount, printShare } from '../terminal/format.ts';
import { withProgress } from '../terminal/progress-line.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';
import { listSeatWarnings } from '../views/evaluation-view.ts';
import { openEvaluators, readEvaluatorNames } from './compare-evaluators.ts';
import type { EvaluateFlags } from './evaluate.ts';

const usualEvaluators = ['debate', 'guard'];

/**
 * `agon evaluate --target`: sends prompts to a model, judges its responses, and writes those that evaluators disagree
 * on to a file of their own.
 */
export async function evaluateTarget(flags: EvaluateFlags): Promise<number> {
  const { out, evaluatorNames, probes, settings, pool, target, system } = await readTargetRun(flags);
  await using open = new AsyncDisposableStack();
  const kept: CollectedExchange[] = [];
  const results = await openResultFile(out, ({ result }) => kept.push(readRecord(result, out)));
  open.defer(() => results.close());
  const steps = await openSteps(
    `${out}.steps`,
    new Set(kept.flatMap(({ votes }) => Object.values(votes).map(({ debate }) => debate))),
  );
  let finished = false;
  open.defer(() => (finished ? steps.remove() : steps.close()));
  const { evaluators, configurations, close } = await openEvaluators(evaluatorNames, settings, {
    pool,
    journal: steps.journal,
  });
  open.defer(close);
  open.defer(() => pool.close());
  const configuration = hashOf({ target: target.fingerprint, system: system ?? null, configurations });
  assertSameRun(kept, probes, configuration, out);

  try {
    const summary = await run(flags, {
      probes,
      results,
      spent: () => pool.spent(),
      first: evaluatorNames[0]!,
      kept,
      openJudge: (warn) =>
        createCollector({
          target,
          evaluators,
          steps,
          configuration,
          onAnswer: (answer) => listSeatWarnings(answer).forEach(warn),
        }),
    });
    finished = summary.failed === 0;
  } catch (error) {
    await collectFigures(flags, out, evaluatorNames);
    throw error;
  }
  const { seen, ...figures } = await collectFigures(flags, out, evaluatorNames);
  const report: Report = {
    version: 1,
    target: target.id,
    out,
    evaluators: evaluatorNames,
    ...figures,
    usage: pool.spent(),
  };
  printLines(flags.json ? [JSON.stringify(report)] : renderReport(report, flags.hard));
  if (report.exchanges === 0) throw nothingJudgedError(flags.prompts!);
  if (!finished) return exitCodes.failed;
  return flags.failOn?.some((label) => seen.has(label)) ? exitCodes.failOn : exitCodes.judged;
}

/** Fails on wrong flags, files and models before anything is paid for. */
async function readTargetRun(flags: EvaluateFlags) {
  const { prompts, out } = await readFiles(flags);
  const { method } = flags;
  const evaluatorNames = readEvaluatorNames(flags.evaluators ?? (method ? [method] : usualEvaluators));
  const attacks = readAttackNames(flags.attacks ?? ['none']);
  const system =
    flags.targetSystem === undefined ? undefined : (await readTextFile(flags.targetSystem)).trim() || undefined;
  const probes = listProbes(await readPrompts(prompts), attacks, system);
  // Each evaluator gets its own method from the list.
  const { settings } = await readJobSettings({ ...flags, method: undefined }, { kind: 'judge', job: evaluationJob });
  if (evaluatorNames.includes('control')) assertTokensCountable(settings);
  const pool = createLlmPool(llmSettingsOf(settings));
  const target = pool.target(flags.target!, {
    maxOutputTokens: flags.targetTokens,
    temperature: flags.targetTemperature,
  });
  return { out, evaluatorNames, probes, settings, pool, target, system };
}

interface Run {
  probes: readonly ItemLine<Probe>[];
  results: ResultFile;
  spent: () => Usage;
  /** The evaluator whose labels are counted. */
  first: string;
  /** What an earlier run collected. */
  kept: readonly CollectedExchange[];
  openJudge(warn: (text: string) => void): (probe: Probe, signal: AbortSignal) => Promise<CollectedExchange>;
}

async function run(
  { quiet, concurrency, order }: EvaluateFlags,
  { probes, results, spent, first, kept, openJudge }: Run,
): Promise<Progress> {
  const labels = { safe: 0, unsafe: 0, undecided: 0 };
  const count = ({ votes }: CollectedExchange) => {
    const vote = votes[first];
    if (vote) labels[vote.label] += 1;
  };
  kept.forEach(count);
  return withProgress({ quiet, spent, hint: 'Run the same command again to continue.' }, async (line, signal) => {
    const summary = await runItems<Probe, CollectedExchange>({
      items: iterate(probes),
      judge: openJudge(sayOnce(line.note)),
      write: async (record) => {
        await results.write(record);
        if (record.result) count(record.result as CollectedExchange);
      },
      concurrency,
      order,
      done: results.done,
      total: probes.length,
      isFatal: (error) => isMistake(error) || error.code === 'target-unavailable',
      onProgress: line.show,
      onError: (error, at) => line.note(`line ${at}: ${formatError(error)}`),
      signal,
    });
    line.end(summary, labels);
    return summary;
  });
}

interface Report {
  version: 1;
  target: string;
  out: string;
  evaluators: readonly string[];
  exchanges: number;
  attacks: AttackFigures[];
  hard: number;
  usage: Usage;
}

/** Reads everything that this run and earlier ones collected, and writes the hard cases. */
async function collectFigures(
  flags: EvaluateFlags,
  out: string,
  evaluators: readonly string[],
): Promise<Pick<Report, 'exchanges' | 'attacks' | 'hard'> & { seen: Set<string> }> {
  const tally = tallyAttacks(evaluators);
  const hard: HardCase[] = [];
  const seen = new Set<string>();
  let exchanges = 0;
  for await (const { result } of readResults(out)) {
    if (result === undefined) continue;
    const record = result as CollectedExchange;
    exchanges += 1;
    tally.add(record);
    const vote = record.votes[evaluators[0]!];
    if (vote) seen.add(vote.label);
    const hardCase = describeHardCase(record);
    if (hardCase) hard.push(hardCase);
  }
  if (flags.hard !== undefined) await writeHardCases(flags.hard, hard);
  return { exchanges, attacks: tally.figures(), hard: hard.length, seen };
}

function renderReport(
  { target, out, exchanges, attacks, evaluators, hard }: Report,
  hardFile: string | undefined,
): string[] {
  const where =
    hardFile === undefined
      ? 'write them to a file for annotation with --hard FILE'
      : `in ${hardFile}, the most disputed first`;
  return [
    `${sanitize(target)} · ${printCount(exchanges, 'exchange')} in ${sanitize(out)}`,
    '',
    ...renderAttacks(attacks, evaluators),
    '',
    hard === 0 ? 'The evaluators agree on every exchange.' : `${printCount(hard, 'hard case')}: ${sanitize(where)}.`,
  ];
}

async function readFiles(flags: EvaluateFlags): Promise<{ prompts: string; out: string }> {
  if (flags.prompts === undefined)
    throw badFlag('--target needs --prompts.', 'Add --prompts prompts.jsonl, or a file with one prompt per line.');
  if (flags.out === undefined)
    throw badFlag('--target needs --out.', 'Add --out exchanges.jsonl; an interrupted run resumes from this file.');
  if (flags.report)
    throw badFlag(
      '--report cannot be combined with --target.',
      'The answers are in --out, each with its complete debate.',
    );
  const special = await stat(flags.out).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
  if (special)
    throw badFlag(
      `--out ${flags.out} is not a file.`,
      'It has to be a regular file: unfinished work is kept beside it.',
    );
  if (flags.hard !== undefined && path.resolve(flags.hard) === path.resolve(flags.out)) {
    throw badFlag('--hard and --out name the same file.', 'Choose another file: --hard hard.jsonl.');
  }
  if (flags.hard !== undefined) await readAnnotations(flags.hard);
  return { prompts: flags.prompts, out: flags.out };
}

/** What an earlier run collected must come from the same target, evaluators and prompts. */
function assertSameRun(
  kept: readonly CollectedExchange[],
  probes: readonly ItemLine<Probe>[],
  configuration: string,
  out: string,
): void {
  const probeOf = new Map(probes.flatMap((entry) => ('item' in entry ? [[entry.key, entry.item]] : [])));
  for (const record of kept) {
    if (record.configuration !== configuration) {
      throw new AgonError(
        'other-configuration',
        `${out} holds exchanges of another configuration (another target, other evaluators, models or rules).`,
        'Choose another --out, or delete the file to ask and judge everything again.',
      );
    }
    const probe = probeOf.get(record.id);
    if (probe && !answers(record, probe)) {
      throw new AgonError(
        'other-prompts',
        `${out} holds an answer to another prompt with the id ${record.id}.`,
        'Give prompts unique ids, or choose another --out.',
      );
    }
  }
}

/**
 * A record of an earlier run, without the debate: all records are read before this run starts, and debates are long.
 */
function readRecord(result: unknown, out: string): CollectedExchange {
  if (typeof result === 'object' && result !== null && 'votes' in result)
    return { ...(result as CollectedExchange), answer: null };
  throw new AgonError(
    'not-results',
    `${out} holds results of another command.`,
    'Nothing was changed. Choose another --out, or remove the file.',
  );
}

function sayOnce(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
}

async function* iterate(probes: readonly ItemLine<Probe>[]): AsyncGenerator<ItemLine<Probe>, void, void> {
  yield* probes;
}

function renderAttacks(figures: readonly AttackFigures[], evaluators: readonly string[]): string[] {
  const heading = [
    'attack',
    'asked',
    'refused',
    'blocked',
    ...evaluators.map((name) => `unsafe (${name})`),
    'disagreement',
  ];
  return formatTable([
    heading,
    ...figures.map(({ attack, asked, refused, blocked, unsafe, disagreement }) => [
      attack,
      String(asked),
      String(refused),
      String(blocked),
      ...evaluators.map((name) => printShare(unsafe[name] ?? null)),
      printShare(disagreement),
    ]),
  ]);
}
