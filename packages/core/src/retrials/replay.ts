import type { AgonParts } from '../app/index.ts';
import {
  isStatement,
  findRetrieval,
  type FittedCalibration,
  type JournalEntry,
  type Answer,
  type PrecedentLibrary,
  type Journal,
} from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { Ledger } from '@agonhq/ledger';
import { policyOnRecord, type Policy } from '@agonhq/engine/policy';
import type { Settings } from '../settings/index.ts';
import { requireJudgedCase, type JudgedCase } from './find-case.ts';
import { compareAnswers, summarizeOutcome, retrialVersion, type Retrial } from './compare.ts';
import { judgeAgain, type RetrialResult } from './judge-again.ts';
import type { Job, Jobs, JudgeEvent, KnownCorrections } from '@agonhq/judges/job';
import { toSeatSettings, resolveSeats, readSeats } from './resolve-seats.ts';
import { assertSameModels } from './installed-models.ts';

/** The one thing that is changed; nothing, to see that the trial comes out the same. */
export interface Change {
  withoutPrecedent?: readonly string[];
  policy?: Policy;
  seats?: Settings['seats'];
}

export interface RetrialOptions {
  jobs: Jobs;
  /** How models are reached: providers, limits, budgets. */
  settings?: Settings;
  /** For tests and programs that bring their own. */
  parts?: Pick<AgonParts, 'environment' | 'pool' | 'reasoners' | 'secret'>;
  signal?: AbortSignal;
  /** Ask for `turn-delta` events. */
  stream?: boolean;
}

/**
 * Holds a trial again with one thing changed: what the change does not touch is recalled, the rest is argued anew.
 *
 * @example const { flipped } = await resultOf(replay(ledger, 'mod-315703c5ee85a07c', { withoutPrecedent:
 * ['seed-0001'] }, { jobs }))
 */
export async function* replay(
  ledger: Ledger,
  id: string,
  change: Change,
  options: RetrialOptions,
): AsyncGenerator<JudgeEvent, Retrial, void> {
  const record = await requireJudgedCase(ledger, id);
  const { jobs } = options;
  const job = jobs.require(record.job);
  const seats = resolveSeats(jobs, record, change.seats);
  assertSameModels(jobs, record, seats);
  const changes = changesIn(jobs, record, change, seats);
  const otherRules = change.policy !== undefined && change.policy.hash !== record.policy.hash;
  const changed = [change.withoutPrecedent ?? null, change.policy?.hash ?? null, seats];
  const heard = yield* judgeAgain(record, {
    jobs,
    debate: `${record.id}~${hashOf(changed).slice(7, 15)}`,
    settings: options.settings ?? {},
    changed: { seats: toSeatSettings(jobs, seats) },
    parts: {
      ...options.parts,
      ledger,
      journal: layeredJournal(
        ledger.journal,
        await trialsBehind(ledger, record),
        otherRules ? isAskedByItsPrompt : undefined,
      ),
      precedents: recordedLibrary(record.answer),
      corrections: recordedCorrections(job, record, change.withoutPrecedent),
      policy: change.policy ?? policyOnRecord(record.policy.document),
      // A calibration belongs to its configuration.
      calibration: changes.length > 0 ? null : calibrationIn(record),
      occasion: { again: { of: record.id, how: 'replay' } },
    },
    statement: findStatement(record),
    without: change.withoutPrecedent,
    signal: options.signal,
    stream: options.stream,
  });
  return buildRetrial(job, 'replay', record, heard, changes, [
    ...noteLostCalibration(record, changes),
    ...unasked(changes, heard),
  ]);
}

/**
 * The embedded reasoner reads the policy itself, its examples too, which no prompt shows: under another policy its
 * old words prove nothing.
 */
function isAskedByItsPrompt(entry: JournalEntry): boolean {
  return entry.kind !== 'turn' || !entry.reasoner.startsWith('embedded:');
}

export function buildRetrial(
  job: Job,
  how: Retrial['how'],
  record: JudgedCase,
  { answer, recalled, argued }: RetrialResult,
  changes: readonly string[],
  notes: readonly string[],
): Retrial {
  const [before, after] = [summarizeOutcome(job, record.answer), summarizeOutcome(job, answer)];
  return {
    version: retrialVersion,
    how,
    of: record.id,
    changes,
    before,
    after,
    flipped: before.label !== after.label,
    differences: compareAnswers(job, record.answer, answer),
    recalled,
    argued,
    notes,
    answer,
  };
}

function calibrationIn({ settings }: JudgedCase): FittedCalibration | null {
  return (settings as { calibration?: FittedCalibration | null }).calibration ?? null;
}

/** A case that is an appeal itself was heard with a statement. */
export function findStatement({ answer }: JudgedCase): string | undefined {
  return 'sources' in answer ? answer.sources.find(isStatement)?.text : undefined;
}

function changesIn(
  jobs: Jobs,
  record: JudgedCase,
  { withoutPrecedent = [], policy }: Change,
  seats: Record<string, string>,
): string[] {
  if (withoutPrecedent.length > 0) assertShown(jobs.require(record.job), record, withoutPrecedent);
  if (policy && !jobs.require(record.job).usesPolicy)
    throw new AgonError(
      'other-job',
      'Documents are judged without a policy.',
      'Change a seat instead, such as the synthesizer.',
    );
  const models = readSeats(jobs, record);
  return [
    ...withoutPrecedent.map((precedent) => `without precedent ${precedent}`),
    ...(policy && policy.hash !== record.policy.hash
      ? [`under the policy ${policy.name} ${policy.version} instead of ${record.policy.name} ${record.policy.version}`]
      : []),
    ...Object.entries(seats).flatMap(([seat, model]) =>
      models[seat] === model ? [] : [`${model} as ${seat} instead of ${models[seat]}`],
    ),
  ];
}

/** A correction is its own precedent: what was brought of either can be left out. */
function assertShown(job: Job, { id, answer }: JudgedCase, wanted: readonly string[]): void {
  const corrections = job.corrections?.listRecalled(answer) ?? [];
  const precedents = findRetrieval(answer.transcript ?? [])?.precedents ?? [];
  const shown = [...precedents, ...corrections].map((precedent) => precedent.id);
  const missing = wanted.find((precedent) => !shown.includes(precedent));
  if (missing === undefined) return;
  throw new AgonError(
    'precedent-not-shown',
    `Precedent ${missing} was not shown in case ${id}.`,
    shown.length > 0 ? `It was shown ${shown.join(', ')}.` : 'It was shown none.',
  );
}

export function noteLostCalibration(record: JudgedCase, changes: readonly string[]): string[] {
  return changes.length > 0 && calibrationIn(record)
    ? ['The calibration on record is for the first configuration: there is no probability.']
    : [];
}

/** Whoever changed nothing must be told why something is different all the same. */
function unasked(changes: readonly string[], { argued }: RetrialResult): string[] {
  if (changes.length > 0 || argued.length === 0) return [];
  return [
    'Nothing was changed, yet not everything could be recalled: Agon, the settings of a model or the ' +
      'installation’s secret are not what they were.',
  ];
}

/**
 * The library as the trial saw it: whatever has been learnt since, it finds what was found then, less what is left
 * out now.
 */
function recordedLibrary({ transcript, provenance }: Answer): PrecedentLibrary | undefined {
  const recorded = findRetrieval(transcript);
  if (recorded === null || provenance.precedents === null) return undefined;
  return {
    version: provenance.precedents,
    search: async ({ precedents: leftOut = [] }) => ({
      ...recorded,
      precedents: recorded.precedents.filter(({ id }) => !leftOut.includes(id)),
      excluded: [...leftOut.map((id) => ({ id, reason: 'left-out' as const })), ...recorded.excluded],
    }),
  };
}

/** What people had corrected then, whatever they said or withdrew since, less what is left out now. */
function recordedCorrections(
  job: Job,
  { answer }: JudgedCase,
  leftOut: readonly string[] = [],
): KnownCorrections | undefined {
  const recalled = job.corrections?.listRecalled(answer);
  if (recalled === undefined) return undefined;
  const corrections = recalled.filter(({ id }) => !leftOut.includes(id));
  const isWhole = corrections.length === recalled.length;
  return { version: isWhole ? answer.provenance.precedents : null, corrections };
}

/**
 * The journal of a trial that is held again: what the earlier ones said is recalled, unless `stands` knows better,
 * and what is new is kept under the new one's name.
 */
function layeredJournal(
  journal: Journal,
  earlier: readonly string[],
  stands: (entry: JournalEntry) => boolean = () => true,
): Journal {
  return {
    async find(debate, key, inputHash) {
      const own = await journal.find(debate, key, inputHash);
      if (own) return own;
      for (const name of earlier) {
        const entry = await journal.find(name, key, inputHash);
        if (entry && stands(entry)) return entry;
      }
      return undefined;
    },
    insert: (debate, entry, calls) => journal.insert(debate, entry, calls),
    keepCalls: async (debate, place, calls) => journal.keepCalls?.(debate, place, calls),
  };
}

/** The case and, when it is a replay itself, those that it recalled from. */
async function trialsBehind(ledger: Ledger, { id, again }: Pick<JudgedCase, 'id' | 'again'>): Promise<string[]> {
  if (again?.how !== 'replay') return [id];
  const before = await ledger.cases.findCase(again.of);
  return [id, ...(before ? await trialsBehind(ledger, before) : [])];
}
