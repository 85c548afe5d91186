import { createHash } from 'node:crypto';
import type { AgonParts } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { RunReading } from '../input/index.ts';
import { isMistake } from '../mistakes.ts';
import type { Cascade } from './cascade.ts';
import { clearScore, openGuardTrial, type GuardTrial } from './first-tier.ts';
import { fitCascade, type CascadeFit, type FitOptions, type ScoredItem } from './fit-cascade.ts';
import { decidedIn, labelledIn, type LabelledSubject } from './labelled-items.ts';
import { cascadeIn } from './read-cascade.ts';
import { whyNoBand } from './words.ts';

export interface CascadeOptions extends FitOptions {
  job: string;
  /** The run's: the policy counts, since the guard names its clauses. */
  settings: Settings;
  /** A fitted cascade, or labelled data in any form that a run reads; without it, what people decided in the ledger. */
  file?: string;
  reading?: RunReading;
  ledger?: Ledger | null;
  parts?: Pick<AgonParts, 'environment' | 'policy' | 'secret'>;
  /** Items judged at once. */
  concurrency?: number;
  onProgress?: (judged: number) => void;
  signal?: AbortSignal;
}

/** What the guard said of labelled data. */
export interface GuardScores {
  guard: string;
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
  const fitted = file === undefined ? null : await cascadeIn(file);
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
    return fitted;
  }
  const scores = await scoreLabelled(options);
  const fit = fitCascade(scores.scored, { risk, confidence });
  const cascade = cascadeOf(fit, scores, { job, risk, confidence });
  if (cascade) return cascade;
  const more =
    file === undefined
      ? 'Decide more cases (`agon feedback`), give labelled data with --cascade FILE, or run without --cascade.'
      : 'Give more labelled data, a higher --risk, or run without --cascade.';
  throw new AgonError(
    'no-cascade',
    `No band of this risk exists on this data: ${whyNoBand(fit, { risk, confidence })}`,
    more,
  );
}

/** Hears the guard on every labelled item, each content once. */
export async function scoreLabelled(options: CascadeOptions): Promise<GuardScores> {
  const { job, settings, file, reading, ledger, parts = {}, concurrency = 8, onProgress, signal } = options;
  const items = file !== undefined ? labelledIn(file, job, reading) : ledger ? decidedIn(ledger, job) : null;
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
  return { guard: trial.setup, data: `sha256:${data.digest('hex')}`, scored };
}

/** The cascade of a fit; null when there is no band. */
export function cascadeOf(
  { band, items }: CascadeFit,
  { guard, data }: Omit<GuardScores, 'scored'>,
  { job, risk, confidence }: Pick<Cascade, 'job' | 'risk' | 'confidence'>,
): Cascade | null {
  if (!band) return null;
  const { safeUpTo, unsafeFrom, ...figures } = band;
  return { version: 1, job, guard, safeUpTo, unsafeFrom, risk, confidence, fitted: { data, items, ...figures } };
}

/** What cannot be judged is left to the debate, as it will be in a run. */
async function scoreOf(
  trial: GuardTrial,
  subject: LabelledSubject['subject'],
  signal?: AbortSignal,
): Promise<number | null> {
  signal?.throwIfAborted();
  try {
    return clearScore(await trial.judge(subject, signal));
  } catch (error) {
    if (!AgonError.is(error) || error.code === 'cancelled' || isMistake(error)) throw error;
    return null;
  }
}
