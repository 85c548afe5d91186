import type { DocumentReaders } from '@agonhq/core/app';
import { openAgon as openJobs, reportEmbedding, type AgonParts, type JobAgon } from '@agonhq/core/kits';
import { AgonError } from '@agonhq/engine/agon-error';
import { findLedgerPlace, openLedger, replaceParts, type Ledger } from '@agonhq/ledger';
import { defaultSensitivity } from '@agonhq/engine/policy/sensitivity';
import type { Settings } from '@agonhq/core/settings';
import { formatError } from './print-error.ts';
import type { CommandSettings } from './read-settings.ts';
import { printNote } from './terminal/style.ts';

/** Agon with the ledger that records its cases; null when none does. */
export interface RecordedAgon extends JobAgon {
  ledger: Ledger | null;
}

/**
 * Agon for a command that judges. The ledger that was named must open; no verdict depends on the installation's own.
 */
export async function openAgon({ settings, jobs }: CommandSettings, given: AgonParts): Promise<RecordedAgon> {
  let readers: Promise<DocumentReaders> | undefined;
  const openReaders = async () => {
    const { openDocumentReaders } = await import('@agonhq/core/app/document-readers');
    return openDocumentReaders({ own: true });
  };
  const parts: AgonParts = {
    onEmbedding: reportEmbedding((line) => process.stderr.write(`agon: ${line}\n`)),
    readFiles: async (files, options) => (await (readers ??= openReaders())).readFiles(files, options),
    ...given,
  };
  const ledger =
    settings.ledger === undefined
      ? await openOwnLedger()
      : settings.ledger === false
        ? null
        : await openLedger(findLedgerPlace(process.env, settings.ledger));
  try {
    const agon = await openJobs(settings, { ...parts, jobs, ...(ledger ? { ledger } : {}) });
    noteIdleSensitivity(agon, settings, parts);
    return {
      ...agon,
      ledger,
      async close() {
        await Promise.all([agon.close(), readers?.then((opened) => opened.close())]);
        await ledger?.close();
      },
    };
  } catch (error) {
    await ledger?.close();
    throw error;
  }
}

/** Whoever sets a sensitivity must know when nobody heeds it. */
function noteIdleSensitivity(agon: JobAgon, { sensitivity }: Settings, { only = [] }: AgonParts): void {
  if (sensitivity === undefined || sensitivity === defaultSensitivity) return;
  for (const job of only.map(agon.jobs.require))
    if (job.usesPolicy && agon.provenanceOf(job).sensitivity === undefined)
      printNote(
        `The sensitivity ${sensitivity} has no effect on ${job.id} here: only the embedded reasoner knows one, and ` +
          'another model gives the score; its bar is 0.5.',
      );
}

async function openOwnLedger(): Promise<Ledger | null> {
  try {
    return tolerateOutages(await openLedger(findLedgerPlace(process.env)), (error) =>
      process.stderr.write(`agon: nothing more is recorded. ${formatError(error)}\n`),
    );
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    process.stderr.write(`agon: nothing is recorded. ${formatError(error)}\n`);
    return null;
  }
}

/** Records when a run starts and how it ends. Without a ledger the work is just done. */
export async function recordRun(
  ledger: Ledger | null,
  run: { id: string; job: string; configuration: string; input: string },
  work: () => Promise<number>,
): Promise<number> {
  if (!ledger) return work();
  await ledger.runs.startRun({ ...run, name: null, settings: null });
  let state: 'finished' | 'stopped' | 'failed' = 'failed';
  try {
    const code = await work();
    state = 'finished';
    return code;
  } catch (error) {
    if (AgonError.is(error) && error.code === 'cancelled') state = 'stopped';
    throw error;
  } finally {
    await ledger.runs.endRun(run.id, state);
  }
}

/** Failures of a disk or a server, whatever is asked of it. */
const outages = new Set([
  'full-disk',
  'read-only-ledger',
  'ledger-failed',
  'locked-ledger',
  'ledger-unreachable',
  'damaged-ledger',
]);

/**
 * The installation's own ledger, which no verdict depends on: when it fails during a debate, this is reported once,
 * nothing more is recorded, and the debate continues without it.
 */
export function tolerateOutages(ledger: Ledger, onFailure: (error: AgonError) => void): Ledger {
  let failed = false;
  const attempt = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    if (failed) return otherwise;
    try {
      return await work();
    } catch (error) {
      if (!AgonError.is(error) || !outages.has(error.code)) throw error;
      if (!failed) onFailure(error);
      failed = true;
      return otherwise;
    }
  };
  return replaceParts(ledger, {
    journal: () => ({
      find: (debate, key, inputHash) => attempt(() => ledger.journal.find(debate, key, inputHash), undefined),
      insert: (debate, entry, calls) => attempt(() => ledger.journal.insert(debate, entry, calls), entry),
      keepCalls: (debate, place, calls) =>
        attempt(async () => ledger.journal.keepCalls?.(debate, place, calls), undefined),
    }),
    cases: () => ({
      ...ledger.cases,
      openCase: (opened) => attempt(() => ledger.cases.openCase(opened), undefined),
      closeCase: (answer, description) => attempt(() => ledger.cases.closeCase(answer, description), answer),
      holdCases: (ids) => attempt(() => ledger.cases.holdCases(ids), undefined),
      interruptCase: (id, problem) => attempt(() => ledger.cases.interruptCase(id, problem), undefined),
    }),
    decisions: () => ({
      ...ledger.decisions,
      findCorrection: (subject) => attempt(() => ledger.decisions.findCorrection(subject), null),
    }),
    runs: () => ({
      ...ledger.runs,
      startRun: (run) =>
        attempt(() => ledger.runs.startRun(run), {
          ...run,
          state: 'running',
          problem: null,
          total: null,
          startedAt: new Date(),
          endedAt: null,
        }),
      endRun: (id, state, problem) => attempt(() => ledger.runs.endRun(id, state, problem), undefined),
    }),
  });
}
