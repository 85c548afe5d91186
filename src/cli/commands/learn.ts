import { moderationJob, restoreContent } from '../../jobs/moderation/index.ts';
import { setTimeout } from 'node:timers/promises';
import { createAgon, openLearning, type Learning } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import {
  approvePrecedents,
  audit,
  learn,
  recentlyDecided,
  rejectPrecedent,
  type DecidedCase,
} from '../../learning/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { retirePrecedent } from '../../precedents/index.ts';
import { lockLearning } from '../../runs/index.ts';
import { agonHome, type Settings } from '../../settings/index.ts';
import { listenForInterrupt } from '../process.ts';
import { renderApproval, renderAudit, renderLearning } from '../learning/learning-lines.ts';
import { exitCodes } from '../print-error.ts';
import { readModerationSettings, type ModerationSettingsFlags } from '../settings-flags.ts';
import { withLedger } from '../open-ledger.ts';
import { sanitize, printLines } from '../terminal/style.ts';

export interface LearnFlags extends ModerationSettingsFlags {
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

/** `agon learn`: learns, reviews or audits. Returns the exit code. */
export async function learnCommand(flags: LearnFlags): Promise<number> {
  const tasks = [
    (flags.approve ?? flags.reject) !== undefined && 'review',
    flags.audit && 'audit',
    (flags.all ?? flags.review ?? flags.dryRun) !== undefined && 'learn',
  ].filter(Boolean);
  if (tasks.length > 1)
    throw new AgonError(
      'bad-flag',
      '--approve and --reject, --audit, and the flags of learning do not go together.',
      'Run one after the other.',
    );
  if (flags.retire && !flags.audit)
    throw new AgonError(
      'bad-flag',
      '--retire goes with --audit.',
      'To retire one precedent: agon precedents retire ID --why TEXT.',
    );
  const settings = await readModerationSettings(flags);
  return withLedger(flags, async (ledger) => {
    const learning = await openLearning(settings, ledger);
    if (flags.approve ?? flags.reject) return reviewed(learning, flags);
    return flags.audit ? audited(learning, settings, flags) : learnt(learning, settings, flags);
  });
}

async function learnt(learning: Learning, settings: Settings, flags: LearnFlags): Promise<number> {
  const interrupt = listenForInterrupt();
  const release = flags.dryRun ? async () => {} : await alone(learning.ledger, flags, interrupt.signal);
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
      `Learning was stopped after ${done} cases, and what was learnt is kept.`,
      'Run it again: it goes on where it stopped.',
      { cause: error },
    );
  } finally {
    interrupt.dispose();
    await release();
  }
}

/** Waits until nobody else learns. */
async function alone(ledger: Ledger, { quiet }: LearnFlags, signal: AbortSignal): Promise<() => Promise<void>> {
  for (let waited = 0; ; waited += 1) {
    try {
      return await lockLearning(ledger, agonHome(process.env));
    } catch (error) {
      if (!AgonError.is(error) || error.code !== 'learning-runs') throw error;
      if (waited === 0 && !quiet) process.stderr.write('Another `agon learn` is at work: waiting for it.\n');
      await setTimeout(200, undefined, { signal });
    }
  }
}

async function reviewed(learning: Learning, { approve = [], reject = [], by, why, json }: LearnFlags): Promise<number> {
  const desk = { ...learning, store: learning.ledger.precedents };
  const rejected: string[] = [];
  for (const id of reject) rejected.push((await rejectPrecedent(id, desk, why)).id);
  const approved = await approvePrecedents(approve.includes('all') ? 'all' : approve, desk, by);
  printLines(json ? [JSON.stringify({ ...approved, rejected })] : renderApproval(approved, rejected));
  return exitCodes.judged;
}

const recentCases = 200;

async function audited(learning: Learning, settings: Settings, flags: LearnFlags): Promise<number> {
  const cases = await recentlyDecided(learning.ledger, flags.limit ?? recentCases);
  // Today's library and today's configuration; what is judged here is not a case, and leaves no trace.
  const agon = await createAgon(
    { ...settings, ledger: false, calibration: false },
    { jobs: ['moderation'], precedents: learning.library },
  );
  try {
    const paid = [...new Set(Object.values(agon.provenanceOf(moderationJob).models))].filter(
      (model) => !model.startsWith('embedded:'),
    );
    if (paid.length > 0 && !flags.yes) throw toBePaid(cases, settings, paid);
    const report = await audit(
      cases,
      async (record, without) => {
        const { verdict, precedents } = await agon.moderate(
          await restoreContent(record.content, {
            find: (hash) => learning.ledger.attachments.findAttachment(hash),
            local: false,
          }),
          without.length > 0 ? { unseen: { precedents: without } } : {},
        );
        return { label: verdict.label, shown: precedents.map(({ id }) => id) };
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

/** Told before anything is paid: each case is judged once, and once more for every precedent it is shown. */
function toBePaid(cases: readonly DecidedCase[], { moderation }: Settings, models: readonly string[]): AgonError {
  const shown = moderation?.precedents ?? 3;
  const debates = cases.length * (1 + shown);
  const costs = cases.map(({ record }) => record.answer?.usage.costUsd ?? null);
  const known = costs.filter((cost) => cost !== null);
  const mean = known.reduce((sum, cost) => sum + cost, 0) / (known.length || 1);
  const price =
    known.length === 0
      ? 'the price is not known'
      : `about $${(mean * debates).toFixed(2)} by what these cases cost before`;
  return new AgonError(
    'to-be-paid',
    `The audit would hold up to ${debates} debates over ${cases.length} cases with ${models.join(', ')}: ${price}.`,
    'Say --yes to do it, --limit N for fewer cases, or --model embedded:guard-1 to ask nobody.',
  );
}
