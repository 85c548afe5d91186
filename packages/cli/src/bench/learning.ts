import path from 'node:path';
import type { Command } from 'commander';
import { createAgon, openCurator, type Curator } from '@agonhq/core/app';
import {
  buildLearningReport,
  learningBlock,
  moderationBench,
  openSafetyResults,
  readDataset,
  readFigures,
  renderLearningMarkdown,
  renderLearningPage,
  runExperiment,
  withoutLedger,
  type BatchRun,
  type BenchSystem,
  type Learner,
  type LearningReport,
  type SafetyJudgement,
} from '@agonhq/bench';
import { addUsage, memoryJournal, type Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { assertDebateHeard } from '@agonhq/judges/job';
import { ownJobs } from '@agonhq/core/own-jobs';
import { moderationJob, type Content, type ModerationAnswer } from '@agonhq/judges/moderation';
import { curate, openAdmission, postMortemOf, precedentOf, readLesson, worked } from '@agonhq/core/learning';
import { memoryPrecedentStore, openLibrary, type KeptPrecedent } from '@agonhq/models/precedents';
import type { Settings } from '@agonhq/core/settings';
import { addExamples, choice, setAction, addContentDataFlags, collect, positive } from '../define-command.ts';
import { saveReport } from '../files.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { readContentOptions, readDataSettings, type ContentDataFlags } from './plan-bench.ts';
import { renderTextChart } from './draw-learning.ts';
import { renderBlock } from './show-block.ts';
import { measureSystem } from './watch-bench.ts';

interface BenchFlags extends ContentDataFlags {
  batches: number;
  mode: 'failures' | 'all';
  seed: number;
  repeats: number;
  json?: boolean;
  report?: string[];
}

const modeHelp = "learn from all items (the paper's experiment) or only from failures";

/** `agon bench learning` */
export function defineBenchLearning(command: Command): void {
  command.description(
    "Aetheria's experiment on continuous learning: each batch is judged without memory and with what was learnt from " +
      'the batches before, starting from an empty library. Shows F1 with bootstrap intervals.',
  );
  addContentDataFlags(command)
    .option('--batches <n>', 'number of batches', positive, 4)
    .addOption(choice('--mode <mode>', modeHelp, ['all', 'failures'], 'all'))
    .option('--seed <n>', 'seed for the batches', positive, 1)
    .option('--repeats <n>', 'repeat the experiment n times with consecutive seeds, and show means', positive, 1)
    .option('--json', 'print the figures as JSON, one object per --data')
    .option('--report <file>', 'write table and chart: .html, .md or .json (repeatable)', collect);
  addSettingsFlags(command, { kind: 'bench', job: moderationJob });
  addExamples(command, [
    'agon bench learning --data items.jsonl --batches 4',
    'agon bench learning --data items.jsonl --mode failures --repeats 5 --report learning.html',
  ]);
  setAction(command, benchLearning);
}

async function benchLearning(flags: BenchFlags): Promise<void> {
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
  const curator = await openCurator(ownJobs, settings);
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
  for (const file of flags.report ?? [])
    await saveReport(file, await renderReportFile(file, reports), 'Choose another file for the report.');
}

function renderReport(report: LearningReport): string[] {
  const { data, parameters } = report;
  return [
    `${style('bold', sanitize(data.file))} · curator ${sanitize(parameters.curator)}`,
    '',
    ...renderBlock(learningBlock(report)),
    '',
    ...renderTextChart(report),
    '',
  ];
}

async function renderReportFile(file: string, reports: readonly LearningReport[]): Promise<string> {
  if (file.endsWith('.html')) return renderLearningPage(reports);
  return file.endsWith('.md') ? renderLearningMarkdown(reports) : `${JSON.stringify(reports, null, 2)}\n`;
}

/** Both conditions of the learning experiment, and what they have cost. */
export interface LearningPair {
  control: BenchSystem<Content, SafetyJudgement>;
  learner: Learner;
  models: Record<string, string>;
  spent(): Usage;
  close(): Promise<void>;
}

export interface LearnerOptions {
  /** Name of the data: its items are never shown to their own batch. */
  dataset: string;
  mode: 'failures' | 'all';
  curator: Curator;
  /** Cases studied at once. */
  concurrency: number;
}

/** A learner that starts with an empty library in memory (no seeds), and its control, whose library stays empty. */
export async function openLearningPair(
  settings: Settings,
  { dataset, mode, curator, concurrency }: LearnerOptions,
): Promise<LearningPair> {
  // A calibration belongs to a library, and this one grows.
  const plain = { ...withoutLedger(settings), calibration: false as const };
  const store = memoryPrecedentStore();
  const library = await openLibrary({ seeds: [], store, embedder: curator.embedder });
  const empty = await openLibrary({ seeds: [], store: null, embedder: curator.embedder });
  const [without, withMemory] = await Promise.all(
    [empty, library].map((precedents) => createAgon(plain, { only: [moderationJob.id], precedents })),
  );
  const answers = new Map<Content, ModerationAnswer>();

  return {
    control: {
      name: 'zero-shot',
      configuration: without!.provenanceOf(moderationJob).configuration,
      judge: async (content, signal) => toJudgement(assertDebateHeard(await without!.moderate(content, { signal }))),
    },
    learner: {
      during: (batch) => ({
        name: `learning, batch ${batch}`,
        configuration: withMemory!.provenanceOf(moderationJob).configuration,
        async judge(content, signal) {
          const answer = assertDebateHeard(
            await withMemory!.moderate(content, {
              signal,
              withoutCopies: true,
              unseen: { datasets: [dataset], beforeBatch: batch },
            }),
          );
          answers.set(content, answer);
          return toJudgement(answer);
        },
      }),
      async after(batch, items) {
        const admission = openAdmission({ seeds: [], store, library });
        const failed = ({ label, answer }: Judged) => answer.verdict.label !== label;
        const judged = items.flatMap(({ subject, label }): Judged[] => {
          const answer = answers.get(subject as Content);
          return answer ? [{ answer, label }] : [];
        });
        let learnt = 0;
        const taken = mode === 'all' ? judged : judged.filter(failed);
        for await (const precedent of worked(taken, concurrency, (one) =>
          studyAnswer(one, { batch, dataset, curator }),
        )) {
          if (precedent && (await admission.admit(precedent)).outcome === 'learnt') learnt += 1;
        }
        answers.clear();
        await library.refresh();
        return { library: (await library.health()).size, learnt, leftOut: taken.length - learnt };
      },
    },
    models: without!.provenanceOf(moderationJob).models,
    spent: () => [without!.spent(), withMemory!.spent(), curator.spent()].reduce(addUsage),
    async close() {
      await Promise.all([without!.close(), withMemory!.close()]);
    },
  };
}

interface Judged {
  answer: ModerationAnswer;
  label: 'safe' | 'unsafe';
}

/** What an item teaches; null if the lesson is not valid. */
async function studyAnswer(
  { answer, label }: Judged,
  { batch, dataset, curator: { curator, policy, secret } }: { batch: number; dataset: string; curator: Curator },
): Promise<KeptPrecedent | null> {
  const studied = postMortemOf(ownJobs.requireLearning(), answer, {
    label,
    why: null,
    clause: null,
    by: `dataset:${dataset}`,
  });
  const { turn } = await curate(studied, {
    debate: answer.id,
    policy,
    reasoner: curator.under(policy),
    journal: memoryJournal(),
    secret,
  });
  const read = readLesson(turn, studied);
  return 'problem' in read
    ? null
    : precedentOf(read, studied, {
        case: answer.id,
        subject: answer.subject.hash,
        policy,
        curator: turn.reasoner,
        dataset,
        batch,
        at: new Date(),
      });
}

function toJudgement(answer: ModerationAnswer) {
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd } = answer.usage;
  return {
    label: answer.verdict.label,
    ...readFigures(answer),
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
  };
}
