import { applyCalibration, type FittedCalibration } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import type { LabelledData } from '../datasets/data-file.ts';
import { escalationBand } from './escalation-band.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { Outcome } from '../metrics/outcome.ts';
import { fitPlatt, type Curve, type Scored } from './platt.ts';
import type { SystemRun } from '../systems/run-system.ts';
import { brierScore, expectedCalibrationError, type Forecast, randomNumbers } from '../../statistics/index.ts';

/** Below this many items of either class an intercept would be fitted to noise. */
const fewest = 25;
const folds = 5;

type Learned = Scored & { said: Outcome['said'] };

/** Fits the calibration of a configuration on what it said of labelled data. */
export function fitCalibration(
  job: FittedCalibration['job'],
  runs: readonly { data: LabelledData<LabelledItem<unknown>>; run: SystemRun<LabelledItem<unknown>> }[],
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
  return {
    version: 1,
    job,
    configuration: runs[0]!.run.system.setup ?? runs[0]!.run.system.configuration,
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
