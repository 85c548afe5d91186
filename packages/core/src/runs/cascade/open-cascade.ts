import { createHash } from 'node:crypto';
import type { AgonParts } from '../../app/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import type { Settings } from '../../settings/index.ts';
import { type RunReading, readRunItems } from '../input/index.ts';
import { isMistake } from '../mistakes.ts';
import { type Cascade, readCascadeFile } from './read-cascade.ts';
import { assertFittedFor, readClearScore, openGuardTrial, type GuardTrial } from './first-tier.ts';
import { fitCascade, type CascadeFit, type FitOptions, type ScoredItem } from './fit-cascade.ts';
import { ownJobs } from '../../own-jobs.ts';
import type { Job } from '@agonhq/judges/job';

/** Something whose right label is known. */
export interface LabelledSubject {
  /** Stands for what it says: the same twice is one item, and proves no more than one. */
  hash: string;
  subject: unknown;
  label: 'safe' | 'unsafe';
}

const noFiles = { find: async () => undefined, local: true };

/** The items of a file that have a label and can be read. */
export async function* readLabelledItems(
  file: string,
  job: Job,
  reading: RunReading = {},
): AsyncGenerator<LabelledSubject, void, void> {
  for await (const { hash, input, expected, error } of readRunItems(file, job, reading)) {
    if (error || (expected !== 'safe' && expected !== 'unsafe')) continue;
    const opened = await job.items.openItem(input, noFiles, { evaluatedModel: null });
    yield { hash, subject: opened.input, label: expected };
  }
}

/** What people said of the ledger's cases, as far as their content is still there. */
async function* decidedIn(ledger: Ledger, job: Job): AsyncGenerator<LabelledSubject, void, void> {
  const files = { find: (hash: string) => ledger.attachments.findAttachment(hash), local: false };
  for await (const decision of ledger.decisions.readStandingDecisions()) {
    const record = await ledger.cases.findCase(decision.case);
    if (!record || record.job !== job.id || record.content === null) continue;
    yield {
      hash: record.subject,
      subject: (await job.restore(record.content, files)).input,
      label: decision.label,
    };
  }
}

export interface CascadeOptions extends FitOptions {
  job: string;
  /** The run's: the policy counts, since the guard names its clauses. */
  settings: Settings;
  /** A fitted cascade, or labelled data in any form that a run reads; without it, what people decided in the ledger. */
  file?: string;
  reading?: RunReading;
  ledger?: Ledger | null;
  parts?: Pick<AgonParts, 'environment' | 'policy' | 'secret' | 'jobs'>;
  /** Items judged at once. */
  concurrency?: number;
  onProgress?: (judged: number) => void;
  signal?: AbortSignal;
}

/** What the guard said of labelled data. */
export interface GuardScores {
  guard: string;
  /** The guard by its id, and which files of it. */
  digests?: Record<string, string> | undefined;
  /** Hash of the items and their labels. */
  data: string;
  scored: readonly ScoredItem[];
}

/**
 * The cascade of a run: from a file that holds one, or fitted here on labelled data, or on what people decided in the
 * ledger. An error says when no band of the stated risk exists.
 */
export async function openCascade(options: CascadeOptions): Promise<Cascade> {
  const { job, file, risk = 0.05, confidence = 0.95 } = options;
  const fitted = file === undefined ? null : await readCascadeFile(file);
  if (fitted) {
    if (fitted.job !== job)
      throw new AgonError(
        'cascade-mismatch',
        `The cascade ${file} was fitted on ${fitted.job}, not on ${job}.`,
        `Fit one with \`agon cascade fit --job ${job} --data FILE\`.`,
      );
    if (fitted.risk > (options.risk ?? 1) || fitted.confidence < (options.confidence ?? 0)) {
      throw new AgonError(
        'cascade-mismatch',
        `The cascade ${file} promises a risk of ${fitted.risk} with a confidence of ${fitted.confidence}, which ` +
          'is less than what is asked for.',
        'Fit one for this risk, or leave --risk and --confidence out.',
      );
    }
    const trial = await openGuardTrial(job, options.settings, options.parts);
    try {
      assertFittedFor(fitted, trial);
    } finally {
      await trial.close();
    }
    return fitted;
  }
  const scores = await scoreLabelled(options);
  const fit = fitCascade(scores.scored, { risk, confidence });
  const cascade = createCascade(fit, scores, { job, risk, confidence });
  if (cascade) return cascade;
  const more =
    file === undefined
      ? 'Decide more cases (`agon feedback`), give labelled data with --cascade FILE, or run without --cascade.'
      : 'Give more labelled data, a higher --risk, or run without --cascade.';
  throw new AgonError(
    'no-cascade',
    `No band of this risk exists on this data: ${explainNoBand(fit, { risk, confidence })}`,
    more,
  );
}

/** Hears the guard on every labelled item, each content once. */
export async function scoreLabelled(options: CascadeOptions): Promise<GuardScores> {
  const { job, settings, file, reading, ledger, parts = {}, concurrency = 8, onProgress, signal } = options;
  const judging = (parts.jobs ?? ownJobs).require(job);
  const items =
    file !== undefined ? readLabelledItems(file, judging, reading) : ledger ? decidedIn(ledger, judging) : null;
  if (!items)
    throw new AgonError(
      'no-labels',
      'A cascade needs labelled data to choose its bounds on.',
      'Give a file with labels, or name a ledger in which people have decided cases.',
    );
  const trial = await openGuardTrial(job, settings, parts);
  const scored: ScoredItem[] = [];
  const seen = new Set<string>();
  const data = createHash('sha256');
  try {
    const lane = async () => {
      for (let next = await items.next(); !next.done; next = await items.next()) {
        const { hash, label, subject } = next.value;
        if (seen.has(hash)) continue;
        seen.add(hash);
        data.update(`${hash} ${label}\n`);
        const place = scored.push({ score: null, label }) - 1;
        scored[place] = { score: await scoreOf(trial, subject, signal), label };
        onProgress?.(scored.length);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
  } finally {
    await items.return();
    await trial.close();
  }
  return { guard: trial.setup, digests: trial.digests, data: `sha256:${data.digest('hex')}`, scored };
}

/** The cascade of a fit; null when there is no band. */
export function createCascade(
  { band, items }: CascadeFit,
  { guard, digests, data }: Omit<GuardScores, 'scored'>,
  { job, risk, confidence }: Pick<Cascade, 'job' | 'risk' | 'confidence'>,
): Cascade | null {
  if (!band) return null;
  const { safeUpTo, unsafeFrom, ...figures } = band;
  return {
    version: 1,
    job,
    guard,
    ...(digests ? { digests } : {}),
    safeUpTo,
    unsafeFrom,
    risk,
    confidence,
    fitted: { data, items, ...figures },
  };
}

/** What cannot be judged is left to the debate, as it will be in a run. */
async function scoreOf(
  trial: GuardTrial,
  subject: LabelledSubject['subject'],
  signal?: AbortSignal,
): Promise<number | null> {
  signal?.throwIfAborted();
  try {
    return readClearScore(await trial.judge(subject, signal));
  } catch (error) {
    if (!AgonError.is(error) || error.code === 'cancelled' || isMistake(error)) throw error;
    return null;
  }
}

/** A share as people say it: `5 %`, `0.5 %`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(share < 0.1 ? 2 : 1))} %`;
}

/** Why there is no band, in a sentence or two. */
export function explainNoBand(fit: CascadeFit, { risk, confidence }: { risk: number; confidence: number }): string {
  if (fit.band) return '';
  if (fit.items === 0) return 'there is not one labelled item in it.';
  const goal = `${percent(risk)} with ${percent(confidence)} confidence`;
  if (fit.reason === 'too-few')
    return (
      `${fit.items} labelled items are too few to show ${goal} even for a guard without a mistake; ` +
      `about ${fit.needed} would do.`
    );
  // Neither side alone may hold as many items as it takes.
  if (!fit.closest) return `on neither side are there items enough to show ${goal}.`;
  const { wrong, decided, bound } = fit.closest;
  const best =
    `the best band has ${wrong} of ${decided} wrong, which shows no less than ${percent(bound)} where ${goal} ` +
    'is asked for';
  return fit.needed === null
    ? `${best}. The guard is wrong too often: more data would not help.`
    : `${best}. With about ${fit.needed} items like these it could be shown.`;
}
