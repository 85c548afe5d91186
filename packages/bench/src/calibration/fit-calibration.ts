import type { FittedCalibration } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { SafetyOutcome, SafetyRun, SafetyItem } from '../jobs/safety/run-safety.ts';
import {
  applyCalibration,
  brierScore,
  expectedCalibrationError,
  type Forecast,
  logit,
  randomNumbers,
  wilsonInterval,
} from '@agonhq/engine/statistics';

interface Scored {
  score: number;
  unsafe: boolean;
}

interface Curve {
  a: number;
  b: number;
}

/**
 * Holds the curve near the score itself as far as a few items can say nothing else; with hundreds it does not count.
 */
const ridge = 0.1;
const iterations = 100;

/**
 * Platt scaling: logistic regression of the truth on the score's logit, by Newton's method with step halving, with a
 * light ridge towards a = 1, b = 0. With `temperature` only the slope is fitted.
 */
export function fitPlatt(items: readonly Scored[], options: { temperature: boolean }): Curve {
  const points = items.map(({ score, unsafe }) => ({ x: logit(score), y: Number(unsafe) }));
  let curve: Curve = { a: 1, b: 0 };
  for (let iteration = 0; iteration < iterations; iteration++) {
    const step = newtonStep(curve, points, options.temperature);
    const next = improved(curve, step, (candidate) => loss(candidate, items));
    if (!next) return curve;
    curve = next;
  }
  return curve;
}

function newtonStep({ a, b }: Curve, points: readonly { x: number; y: number }[], temperature: boolean): Curve {
  let [gradientA, gradientB, aa, ab, bb] = [ridge * (a - 1), ridge * b, ridge, 0, ridge];
  for (const { x, y } of points) {
    const probability = 1 / (1 + Math.exp(-(a * x + b)));
    const weight = probability * (1 - probability);
    gradientA += (probability - y) * x;
    gradientB += probability - y;
    aa += weight * x * x;
    ab += weight * x;
    bb += weight;
  }
  if (temperature) return { a: gradientA / aa, b: 0 };
  const determinant = aa * bb - ab * ab;
  return { a: (bb * gradientA - ab * gradientB) / determinant, b: (aa * gradientB - ab * gradientA) / determinant };
}

/** The longest of ever shorter steps that lessens the loss; null at the minimum. A slope never goes below zero. */
function improved(curve: Curve, step: Curve, lossOf: (curve: Curve) => number): Curve | null {
  const now = lossOf(curve);
  for (let share = 1; share > 1e-6; share /= 2) {
    const next = { a: Math.max(0, curve.a - share * step.a), b: curve.b - share * step.b };
    if (lossOf(next) < now - 1e-12) return next;
  }
  return null;
}

function loss(curve: Curve, items: readonly Scored[]): number {
  const penalty = (ridge / 2) * ((curve.a - 1) ** 2 + curve.b ** 2);
  return items.reduce((sum, { score, unsafe }) => {
    const probability = applyCalibration(curve, score);
    return sum - Math.log(Math.max(Number.MIN_VALUE, unsafe ? probability : 1 - probability));
  }, penalty);
}

/** A calibrated probability, and whether the verdict that came with it was wrong. */
interface Trial {
  probability: number;
  wrong: boolean;
}

/** A verdict that may be wrong more often than this should be looked at. */
const tolerated = 0.25;
const fewestInWindow = 20;

/**
 * The probabilities around the threshold in which verdicts cannot be trusted alone. From the threshold outwards, on
 * either side, windows of neighbouring items (a twentieth of all, at least 20) are taken into the band as long as the
 * upper end of the 95 % Wilson interval of their error rate is above 25 %. Null when none is.
 */
export function escalationBand(trials: readonly Trial[], threshold: number): [number, number] | null {
  const size = Math.max(fewestInWindow, Math.ceil(trials.length / 20));
  const below = trials
    .filter(({ probability }) => probability < threshold)
    .toSorted((a, b) => b.probability - a.probability);
  const above = trials
    .filter(({ probability }) => probability >= threshold)
    .toSorted((a, b) => a.probability - b.probability);
  const low = lastInDoubt(below, size)?.probability ?? threshold;
  const high = lastInDoubt(above, size)?.probability ?? threshold;
  return low === threshold && high === threshold ? null : [low, high];
}

/** The outermost item of the windows that are in doubt, nearest first; undefined when the first window is not. */
function lastInDoubt(outwards: readonly Trial[], size: number): Trial | undefined {
  let end = 0;
  while (end < outwards.length) {
    // What is left over is too little to be a window of its own.
    const next = outwards.length - end < 2 * size ? outwards.length : end + size;
    const window = outwards.slice(end, next);
    if (wilsonUpperBound(window.filter(({ wrong }) => wrong).length, window.length) <= tolerated) break;
    end = next;
  }
  return outwards[end - 1];
}

/** The upper end of the 95 % Wilson score interval of a share; 1 where nothing was seen. */
export function wilsonUpperBound(count: number, total: number): number {
  return wilsonInterval(count, total)?.[1] ?? 1;
}

/** Below this many items of either class an intercept would be fitted to noise. */
const fewest = 25;
const folds = 5;

type Learned = Scored & { said: SafetyOutcome['said'] };

/** Fits the calibration of a configuration on what it said of labelled data. */
export function fitCalibration(
  job: FittedCalibration['job'],
  runs: readonly { data: LabelledData<SafetyItem<unknown>>; run: SafetyRun<SafetyItem<unknown>> }[],
): FittedCalibration {
  const items = runs
    .flatMap(({ run }) => run.outcomes)
    .flatMap(({ unsafe, rawScore, said }): Learned[] =>
      unsafe === null || rawScore === null ? [] : [{ unsafe, score: rawScore, said }],
    );
  const fewer = Math.min(items.filter(({ unsafe }) => unsafe).length, items.filter(({ unsafe }) => !unsafe).length);
  if (fewer === 0)
    throw new AgonError(
      'cannot-calibrate',
      'A calibration needs safe and unsafe items that got a score.',
      'Give more data with --data; it may be given several times.',
    );
  const method = fewer < fewest ? 'temperature' : 'platt';
  const fit = (some: readonly Scored[]) => fitPlatt(some, { temperature: method === 'temperature' });
  const curve = fit(items);
  if (curve.a === 0)
    throw new AgonError(
      'cannot-calibrate',
      'The scores do not rise with the risk on this data, so that no probability can be made of them.',
      'Check that the labels are the right way round (--map-label), or give other data.',
    );
  const { setup, configuration, digests } = runs[0]!.run.system;
  return {
    version: 1,
    job,
    configuration: setup ?? configuration,
    ...(digests ? { digests } : {}),
    fittedOn: runs.map(({ data }) => ({ file: data.file, sha256: data.sha256, items: data.lines.length })),
    items: items.length,
    method,
    ...curve,
    band: bandFor(items, curve),
    metrics: {
      before: quality(items.map(({ score, unsafe }) => ({ probability: score, positive: unsafe }))),
      after: quality(crossValidated(items, fit)),
    },
  };
}

/** Undecided items go to a person anyway and say nothing about where verdicts can be trusted. */
function bandFor(items: readonly Learned[], curve: Curve): [number, number] | null {
  const decided = items.filter(({ said }) => said !== 'undecided');
  const trials = decided.map(({ score, unsafe, said }) => ({
    probability: applyCalibration(curve, score),
    wrong: said !== (unsafe ? 'unsafe' : 'safe'),
  }));
  return escalationBand(trials, applyCalibration(curve, 0.5));
}

/** Each item's probability by a curve that has not seen it. */
function crossValidated(items: readonly Scored[], fit: (items: readonly Scored[]) => Curve): Forecast[] {
  // By lot: data that comes in a regular order must not fall into folds of one kind.
  const random = randomNumbers(items.length);
  const foldOf = items.map(() => Math.floor(random() * folds));
  return Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const curve = fit(items.filter((_, index) => foldOf[index] !== fold));
    return items
      .filter((_, index) => foldOf[index] === fold)
      .map(({ score, unsafe }) => ({ probability: applyCalibration(curve, score), positive: unsafe }));
  });
}

function quality(forecasts: readonly Forecast[]): FittedCalibration['metrics']['before'] {
  return { ece: expectedCalibrationError(forecasts), brier: brierScore(forecasts) };
}
