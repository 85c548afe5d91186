import { z } from 'zod';
import { AgonError } from '../agon-error.ts';
import { partOfHash, type Sensitivity } from '../policy/sensitivity.ts';
import type { Reasoner } from './reasoner.ts';

const share = z.number().min(0).max(1);

const curve = {
  /** The slope over the score's logit: never negative, so that a higher score is never less likely to be unsafe. */
  a: z.number().min(0),
  b: z.number(),
  /** The probabilities between which a person should look; null when no interval needs it. */
  band: z.tuple([share, share]).nullable(),
};

/** How a score becomes a probability, and where that probability leaves too much doubt. */
export const calibrationSchema = z.object(curve);
export type Calibration = z.infer<typeof calibrationSchema>;

const quality = z.object({ ece: z.number().nullable(), brier: z.number().nullable() });

const fittedCalibrationSchema = z.object({
  version: z.literal(1),
  job: z.string(),
  /** The configuration whose scores it was fitted on: it means nothing for another. */
  configuration: z.string(),
  /** The models that gave the scores, by id, and which files of them. */
  digests: z.record(z.string(), z.string()).optional(),
  fittedOn: z.array(z.object({ file: z.string(), sha256: z.string(), items: z.int() })),
  /** How many items had a score to learn from. */
  items: z.int(),
  method: z.enum(['platt', 'temperature']),
  ...curve,
  /** Before: the score itself as the probability. After: by cross-validation, never on what was fitted on. */
  metrics: z.object({ before: quality, after: quality }),
});

/** A calibration with where it comes from, as `agon calibrate` and the bench write it. */
export type FittedCalibration = z.infer<typeof fittedCalibrationSchema>;

/** Whether a probability leaves so much doubt that a person should look. */
export function isInDoubt({ band }: Calibration, probability: number): boolean {
  return band !== null && probability >= band[0] && probability <= band[1];
}

/** Whose scores a calibration is for: the job, its configuration, and the command that fits one. */
export interface Calibrated {
  job: string;
  configuration: string;
  calibratedWith: string;
  /** By id, which files of a model give the scores now. */
  digests?: Readonly<Record<string, string>> | undefined;
}

/** The curve of a calibration, which holds for the configuration it was fitted on and no other. */
function requireCurve(
  { configuration, calibratedWith, digests }: Calibrated,
  { a, b, band, configuration: fitted, digests: before }: FittedCalibration,
): Calibration {
  if (fitted === configuration) return { a, b, band };
  const otherModel = describeOtherModel(before, digests);
  throw new AgonError(
    'calibration-mismatch',
    otherModel === null
      ? `The calibration was fitted on another configuration (${fitted.slice(0, 19)}…, this one is ` +
          `${configuration.slice(0, 19)}…): its probabilities would be wrong here.`
      : `The calibration was fitted on ${otherModel}: its probabilities would be wrong here.`,
    `Fit it anew with \`${calibratedWith}\`, or take the setting \`calibration\` out.`,
  );
}

/**
 * What was fitted on a model whose files are not those of today, in words: `embedded:guard-2 (982bd497), and this Agon
 * has embedded:guard-2 (1f0c3a55)`. Null where the models are the same, or nothing is known of them.
 */
export function describeOtherModel(
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>> | undefined,
): string | null {
  const named = (digests: Readonly<Record<string, string>>) =>
    Object.entries(digests)
      .map(([id, digest]) => `${id} (${digest})`)
      .join(', ');
  if (!before || !now || named(before) === named(now)) return null;
  return `${named(before)}, and this Agon has ${named(now)}`;
}

/**
 * The calibration that was set; else the one that the reasoner which gives the score brings along. With it, at which
 * sensitivity that reasoner judges, unless it is the default.
 */
export function chooseCalibration(
  calibrated: Calibrated,
  set: FittedCalibration | null,
  scorer: Reasoner | null | undefined,
): { calibration?: Calibration; sensitivity?: Sensitivity } {
  const own = scorer?.calibrations?.[calibrated.job];
  const calibration = set ? requireCurve(calibrated, set) : own;
  return {
    ...(calibration ? { calibration } : {}),
    ...(own && scorer?.sensitivity ? partOfHash(scorer.sensitivity) : {}),
  };
}

/** Reads what `agon calibrate` or the bench wrote, or says in one line why it is no calibration. */
export function readCalibration(json: string, name: string): FittedCalibration {
  const hint = 'Pass a file that `agon calibrate --out` or `agon bench JOB --fit-calibration` wrote.';
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AgonError('not-a-calibration', `${name} is not JSON: ${(error as Error).message}.`, hint, {
      cause: error,
    });
  }
  const parsed = fittedCalibrationSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new AgonError(
    'not-a-calibration',
    `${name} is not a calibration: ${first!.path.join('.') || 'it'}: ${first!.message}.`,
    hint,
  );
}
