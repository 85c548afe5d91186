import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Learning } from '@agonhq/core/app';
import { findRetrieval, resultOf } from '@agonhq/engine/debate';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Approved, Audit, AuditedCase, LearnReport, TakenCase } from '@agonhq/core/learning';
import type { Ledger } from '@agonhq/ledger';
import { blockOf, type Settings } from '@agonhq/core/settings';
import { addExamples, setAction, addLedgerFlag, collect, concurrency, positive } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import type { CommandSettings, SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags, type SettingsSelection } from '../settings-flags.ts';
import { printCount } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

const selection: SettingsSelection = { kind: 'judge', job: ownJobs.requireLearning() };

interface LearnFlags extends SettingsFlags {
  all?: boolean;
  review?: boolean;
  dryRun?: boolean;
  limit?: number;
  concurrency: number;
  approve?: string[];
  reject?: string[];
  why?: string;
  by?: string;
  audit?: boolean;
  retire?: boolean;
  yes?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** `agon learn` */
export function defineLearn(command: Command): void {
  command
    .description(
      'Learn from wrong verdicts: the curator studies each debate against the correct verdict, and what it finds ' +
        'becomes a precedent.',
    )
    .option('--all', 'learn from correct verdicts, too')
    .option('--review', 'leave new precedents waiting for approval')
    .option('--dry-run', 'print what would be learnt; write nothing, spend nothing')
    .option('--limit <n>', 'study at most n cases', positive)
    .option('--concurrency <n>', 'cases to study at once', concurrency, 4)
    .option(
      '--approve <id>',
      'activate a proposed precedent, or "all" that contradict no other precedent (repeatable)',
      collect,
    )
    .option('--reject <id>', 'reject a proposed precedent (repeatable)', collect)
    .option('--why <text>', 'reason for the rejection')
    .option('--by <name>', 'who approves')
    .option('--audit', 'find harmful precedents: judge decided cases with and without each precedent they see')
    .option('--retire', 'with --audit: retire the harmful ones')
    .option('--yes', 'with --audit: go ahead even though models cost money')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print no progress');
  addLedgerFlag(command);
  addSettingsFlags(command, selection);
  addExamples(command, [
    'agon learn',
    'agon learn --dry-run',
    'agon learn --review && agon precedents list --state proposed',
    'agon learn --approve learnt-5be2a90c11d4',
    'agon learn --approve all',
    'agon learn --audit --limit 200',
    'agon learn --seat curator=openai:gpt-4o --run-budget-usd 2',
  ]);
  setAction(command, learnFromCases);
}

async function learnFromCases(flags: LearnFlags): Promise<number> {
  const tasks = [
    (flags.approve ?? flags.reject) !== undefined && 'review',
    flags.audit && 'audit',
    (flags.all ?? flags.review ?? flags.dryRun) !== undefined && 'learn',
  ].filter(Boolean);
  if (tasks.length > 1)
    throw badFlag(
      '--approve and --reject, --audit, and the flags for learning cannot be combined.',
      'Run one after the other.',
    );
  if (flags.retire && !flags.audit)
    throw badFlag('--retire needs --audit.', 'To retire one precedent, use agon precedents retire ID --why TEXT.');
  const { openLearning } = await import('@agonhq/core/app');
  const { withLedger } = await import('../open-ledger.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const given = await readJobSettings(flags, selection);
  const { settings, jobs } = given;
  return withLedger(flags, async (ledger) => {
    const learning = await openLearning(jobs, settings, ledger);
    if (flags.approve ?? flags.reject) return reviewPrecedents(learning, flags);
    return flags.audit ? auditPrecedents(learning, given, flags) : studyCases(learning, settings, flags);
  });
}

async function studyCases(learning: Learning, settings: Settings, flags: LearnFlags): Promise<number> {
  const { learn } = await import('@agonhq/core/learning');
  const interrupt = listenForInterrupt();
  const release = flags.dryRun ? async () => {} : await waitForLock(learning.ledger, flags, interrupt.signal);
  let done = 0;
  try {
    const report = await learn({
      ...learning,
      all: flags.all,
      review: flags.review ?? settings.learn?.review,
      dryRun: flags.dryRun,
      limit: flags.limit,
      concurrency: flags.concurrency,
      signal: interrupt.signal,
      onProgress: ({ case: id, outcome }) => {
        done += 1;
        if (!flags.quiet && !flags.json) process.stderr.write(`${done} ${sanitize(id)} ${outcome}\n`);
      },
    });
    printLines(flags.json ? [JSON.stringify(report)] : renderLearning(report));
    return report.stopped === null ? exitCodes.judged : exitCodes.failed;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new AgonError(
      'cancelled',
      `Learning was stopped after ${done} cases. What was learnt so far is kept.`,
      'Run the command again to continue.',
      { cause: error },
    );
  } finally {
    interrupt.dispose();
    await release();
  }
}

async function waitForLock(ledger: Ledger, { quiet }: LearnFlags, signal: AbortSignal): Promise<() => Promise<void>> {
  const { lockLearning } = await import('@agonhq/core/runs');
  const { agonHome } = await import('@agonhq/core/settings');
  for (let waited = 0; ; waited += 1) {
    try {
      return await lockLearning(ledger, agonHome(process.env));
    } catch (error) {
      if (!AgonError.is(error) || error.code !== 'learning-runs') throw error;
      if (waited === 0 && !quiet) process.stderr.write('Waiting for another `agon learn` to finish.\n');
      await setTimeout(200, undefined, { signal });
    }
  }
}

async function reviewPrecedents(
  learning: Learning,
  { approve = [], reject = [], by, why, json }: LearnFlags,
): Promise<number> {
  const { approvePrecedents, rejectPrecedent } = await import('@agonhq/core/learning');
  const store = { ...learning, store: learning.ledger.precedents };
  const rejected: string[] = [];
  for (const id of reject) rejected.push((await rejectPrecedent(id, store, why)).id);
  const approved = await approvePrecedents(approve.includes('all') ? 'all' : approve, store, by);
  printLines(json ? [JSON.stringify({ ...approved, rejected })] : renderApproval(approved, rejected));
  return exitCodes.judged;
}

const recentCases = 200;

async function auditPrecedents(
  learning: Learning,
  { settings, jobs }: CommandSettings,
  flags: LearnFlags,
): Promise<number> {
  const { createAgon } = await import('@agonhq/core/app');
  const { audit, recentlyDecided } = await import('@agonhq/core/learning');
  const { retirePrecedent } = await import('@agonhq/models/precedents');
  const cases = await recentlyDecided(jobs, learning.ledger, flags.limit ?? recentCases);
  const teachable = jobs.listLearning();
  const files = { find: (hash: string) => learning.ledger.attachments.findAttachment(hash), local: false };
  // With today's library and configuration. What is judged here is not a case and is not recorded.
  const agon = await createAgon(
    { ...settings, ledger: false, calibration: false },
    { jobs, only: teachable.map(({ id }) => id), precedents: learning.library },
  );
  try {
    const models = teachable.flatMap((job) => Object.values(agon.provenanceOf(job).models));
    const paid = [...new Set(models)].filter((model) => !model.startsWith('embedded:'));
    if (paid.length > 0 && !flags.yes) throw costsMoney(cases, { settings, jobs }, paid);
    const report = await audit(
      cases,
      async (record, without) => {
        const job = jobs.requireLearning(record.job);
        const { input, options } = await job.restore(record.content, files);
        const unseen = without.length > 0 ? { withoutPrecedents: without } : {};
        const answer = await resultOf(agon.judge(job, input, { ...options, ...unseen, withoutCopies: true }));
        const shown = findRetrieval(answer.transcript)?.precedents ?? [];
        return { label: job.summarize(answer).label, shown: shown.map(({ id }) => id) };
      },
      (done) => {
        if (!flags.quiet && !flags.json && (done % 10 === 0 || done === cases.length))
          process.stderr.write(`${done} of ${cases.length} cases\n`);
      },
    );
    if (flags.retire) {
      for (const { id, hurt, helped } of report.harmful) {
        const why =
          `audit of ${report.cases} decided cases: ${hurt.length} wrong with it and right without, ${helped.length} ` +
          'the other way round';
        await retirePrecedent(id, why, learning.seeds, learning.ledger.precedents);
      }
    }
    printLines(
      flags.json
        ? [JSON.stringify({ ...report, retired: flags.retire ? report.harmful.map(({ id }) => id) : [] })]
        : renderAudit(report, flags.retire === true),
    );
    return exitCodes.judged;
  } finally {
    await agon.close();
  }
}

/** Each case is judged once, and once more for every precedent it is shown. */
function costsMoney(
  cases: readonly AuditedCase[],
  { settings, jobs }: CommandSettings,
  models: readonly string[],
): AgonError {
  const debates = cases
    .map(({ record }) => jobs.requireLearning(record.job))
    .reduce((sum, job) => sum + 1 + job.learning.countPrecedents(blockOf(settings, job)), 0);
  const costs = cases.map(({ record }) => record.answer?.usage.costUsd ?? null);
  const known = costs.filter((cost) => cost !== null);
  const mean = known.reduce((sum, cost) => sum + cost, 0) / (known.length || 1);
  const price =
    known.length === 0
      ? 'the price is unknown'
      : `about $${(mean * debates).toFixed(2)}, judging by what these cases cost before`;
  return new AgonError(
    'to-be-paid',
    `The audit needs up to ${debates} debates over ${cases.length} cases with ${models.join(', ')}: ${price}.`,
    'Confirm with --yes, use --limit N for fewer cases, or --model embedded:guard-2 for a free model.',
  );
}

const outcomes: Record<TakenCase['outcome'], string> = {
  learnt: 'learnt',
  proposed: 'proposed, waiting for approval',
  'set-aside': 'set aside for review',
  duplicate: 'similar to an existing one',
  known: 'already known',
  refused: 'refused',
  forgotten: 'forgotten, so nothing to learn',
  'to-ask': 'to be studied',
};

/** What was learnt. */
export function renderLearning({ cases, dryRun, mode, curator, usage, stopped }: LearnReport): string[] {
  if (cases.length === 0)
    return [
      mode === 'all'
        ? 'Nothing to learn: there are no new decided cases.'
        : 'Nothing to learn: there are no new wrong verdicts on record.',
    ];
  const counts = [...Map.groupBy(cases, ({ outcome }) => outcome)].map(
    ([outcome, members]) => `${members.length} ${outcomes[outcome]}`,
  );
  const cost = usage.costUsd === null ? `${usage.calls} calls, price unknown` : `$${usage.costUsd.toFixed(4)}`;
  return [
    ...cases.flatMap(renderTakenCase),
    `${printCount(cases.length, 'case')} studied by ${sanitize(curator)}: ${counts.join(', ')} · ${cost}` +
      (dryRun ? ' · dry run, nothing was written' : ''),
    ...(stopped === null ? [] : [style('yellow', stopped)]),
  ];
}

function renderTakenCase(taken: TakenCase): string[] {
  const { outcome, why, of, against, lesson, precedent } = taken;
  const detail =
    why ??
    (of === undefined ? undefined : `duplicates ${of}`) ??
    (against === undefined ? undefined : `contradicts ${against.join(', ')}`);
  const isNew = outcome === 'learnt' || outcome === 'proposed' || outcome === 'set-aside';
  return [
    `${style('cyan', sanitize(taken.case))} was ${taken.verdict}, is ${taken.truth}: ${outcomes[outcome]}` +
      (isNew && precedent ? ` as ${sanitize(precedent.id)}` : '') +
      (detail === undefined ? '' : ` (${sanitize(detail)})`),
    ...(isNew && lesson ? [style('dim', `  ${sanitize(describeLesson(lesson))}`)] : []),
  ];
}

function describeLesson({ turn, fault, what, cues }: NonNullable<TakenCase['lesson']>): string {
  return `${turn === '' ? '' : `${turn} ${fault} ${what}. `}Look for: ${cues.join('; ')}`;
}

export function renderApproval({ approved, overruled, waiting }: Approved, rejected: readonly string[]): string[] {
  const lines = [
    ...approved.map((id) => `${sanitize(id)} is active.`),
    ...overruled.map(({ id, by }) => `${sanitize(id)} is overruled by ${sanitize(by)}.`),
    ...waiting.map(
      ({ id, against }) =>
        `${sanitize(id)} is still waiting: it contradicts ${against.map(sanitize).join(', ')}. ` +
        `To overrule: agon learn --approve ${sanitize(id)}`,
    ),
    ...rejected.map((id) => `${sanitize(id)} is rejected.`),
  ];
  return lines.length > 0 ? lines : ['Nothing is waiting for approval.'];
}

export function renderAudit({ cases, right, rightWithout, audited, harmful }: Audit, retired: boolean): string[] {
  if (cases === 0) return ['Nothing to audit: no decided case on record still has its content.'];
  const sum =
    `${printCount(cases, 'decided case')}, ${right} judged correctly with today's library; ` +
    `${printCount(audited, 'precedent')} shown.`;
  if (harmful.length === 0) return [sum, 'No precedent does more harm than good.'];
  return [
    sum,
    ...harmful.map(
      ({ id, shown, hurt, helped }) =>
        `${style('cyan', sanitize(id))} shown ${shown} times: ${hurt.length} wrong with it and right without it, ` +
        `${helped.length} the other way round`,
    ),
    `Without ${harmful.length === 1 ? 'it' : 'them'}, ${rightWithout} would be right. ` +
      (retired ? 'Retired.' : 'To retire: run this again with --retire.'),
  ];
}
