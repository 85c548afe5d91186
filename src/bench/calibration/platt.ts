import { applyCalibration, logit } from '../../debate/index.ts';

/** A score, and what was true. */
export interface Scored {
  score: number;
  unsafe: boolean;
}

export interface Curve {
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
