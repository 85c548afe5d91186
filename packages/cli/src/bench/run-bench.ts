import path from 'node:path';
import {
  checkThresholds,
  describeCheck,
  listChecks,
  measureBench,
  readThresholds,
  renderBenchMarkdown,
  renderBenchPage,
  requireJobBench,
  type BenchPlan,
  type FreshSet,
  type ReportedSet,
} from '@agonhq/bench';
import { renderAnnotations, renderJunit, renderSarif } from '@agonhq/core/ci-reports';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import type { Settings } from '@agonhq/core/settings';
import { assertReportWritable, saveReport } from '../files.ts';
import { openBenchLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { printLines, printNote, sanitize } from '../terminal/style.ts';
import { renderSet } from './show-set.ts';
import { version } from '@agonhq/engine/version';
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
      onSet: (set) => printLines(flags.json ? [JSON.stringify(reporter.json(set))] : renderSet(set)),
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

export interface BenchReportFlags {
  json?: boolean;
  report?: string[];
  failUnder?: string[];
  /** False: no time stands in a report, so that the same judgements give the same bytes. */
  times?: boolean;
}

export interface BenchReporter {
  /** One dataset as `--json` prints it. */
  json(set: ReportedSet): unknown;
  /** Fails if a report has no folder; called before anything is measured. */
  assertWritable(): Promise<void>;
  /** Fails if a threshold names a system that is not measured; called before, too. */
  assertMeasured(plan: BenchPlan): void;
  /** Writes the reports, prints the thresholds that were missed, and returns the exit code. */
  write(sets: readonly ReportedSet[]): Promise<number>;
}

type Render = (sets: readonly ReportedSet[]) => string | Promise<string>;

/** Reports on measured sets. Flags are read before anything is measured, so that a wrong one costs nothing. */
export function openBenchReporter(
  { report = [], failUnder = [], times = true }: BenchReportFlags,
  title: string,
): BenchReporter {
  const thresholds = readThresholds(failUnder);
  const options = { title, times };
  const byEnding: Record<string, Render> = {
    '.html': (sets) => renderBenchPage(sets, options),
    '.md': (sets) => renderBenchMarkdown(sets, options),
    '.json': (sets) => {
      const written = sets.map((set) => ({ ...toJson(set, times), items: listItems(set) }));
      return `${JSON.stringify({ version: 1, title, sets: written }, null, 2)}\n`;
    },
    '.xml': (sets) => renderJunit('agon bench', listChecks(sets, thresholds)),
    '.sarif': (sets) => renderSarif(listChecks(sets, thresholds), { version }),
  };
  const renders = report.map((file) => {
    const render =
      file === 'github'
        ? (sets: readonly ReportedSet[]) => renderAnnotations(listChecks(sets, thresholds))
        : byEnding[path.extname(file).toLowerCase()];
    if (!render)
      throw new AgonError(
        'unknown-report-format',
        `${file} is not a report format.`,
        'End the file name in .html, .md, .json, .xml (JUnit) or .sarif, or use github for annotations.',
      );
    return { file, render };
  });
  return {
    json: (set) => toJson(set, times),
    async assertWritable() {
      for (const { file } of renders) if (file !== 'github') await assertReportWritable(file);
    },
    assertMeasured({ sets }) {
      const names = sets.flatMap(listNames);
      const wrong = thresholds.find(
        ({ system }) => system !== null && system !== '*' && !names.some((name) => isNamed(system, name)),
      );
      if (wrong)
        throw badFlag(
          `--fail-under ${wrong.text}: there is no system ${wrong.system}.`,
          `The systems are ${[...new Set(names)].join(', ')}.`,
        );
    },
    async write(sets) {
      for (const { file, render } of renders) {
        if (file === 'github') process.stdout.write(await render(sets));
        else await saveReport(file, await render(sets), saveHint);
      }
      const missed = checkThresholds(sets, thresholds).filter(({ passed }) => !passed);
      for (const check of missed)
        process.stderr.write(`agon: ${sanitize(`${check.set}, ${check.system}`)}: ${describeCheck(check)}.\n`);
      return missed.length > 0 ? exitCodes.failOn : exitCodes.judged;
    },
  };
}

/** The names of the systems in a set; those that have no name by any that they can have. */
function listNames({ systems, job }: BenchPlan['sets'][number]): string[] {
  return (
    systems?.map((system) => (typeof system === 'string' ? system : system.name)) ?? [
      requireJobBench(job).defaultSystem,
      'embedded',
    ]
  );
}

/**
 * Debates over rounds and agents add these to their name, and predictions are called by what stands before their
 * file.
 */
function isNamed(wanted: string, name: string): boolean {
  return (
    wanted === name ||
    wanted.startsWith(`${name} T=`) ||
    wanted.startsWith(`${name} N=`) ||
    name.startsWith(`predictions:${wanted}=`)
  );
}

function toJson({ report, result, figures }: ReportedSet, times: boolean): Record<string, unknown> {
  const { data, parameters, notes } = result;
  const whole = {
    ...report,
    title: data.title,
    format: data.format,
    published: data.published,
    parameters: { ...report.parameters, ...parameters },
    notes,
    figures,
  };
  return times ? whole : (stripTimes(whole) as Record<string, unknown>);
}

const timeFields = new Set(['latencyMs', 'itemsPerSecond']);

/** The same without what differs from run to run. */
function stripTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, member]) => (timeFields.has(field) ? [] : [[field, stripTimes(member)]])),
  );
}

/** Every item with what each system said of it, in every repeat. */
function listItems({ result: { items, systems } }: ReportedSet): unknown[] {
  return items.map((item, index) => ({
    ...item,
    said: Object.fromEntries(
      systems.map(({ name, repeats }) => [
        name,
        repeats.map((outcomes) => {
          const { said, score, opening, rule, problem } = outcomes[index]!;
          return { said, score, opening, rule, problem };
        }),
      ]),
    ),
  }));
}

const saveHint =
  'Choose another file; `agon bench report` writes the report of a recorded bench again, without a call.';
