import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Described } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { byConcept, normalised, riskConcepts, smoothed, type Distribution, type RiskConcept } from './distribution.ts';

export const referenceSchema = z.object({
  version: z.literal(1),
  /** How sharply the critic's words are taken: 1 as they stand, 0 not at all. */
  temperature: z.number(),
  /** What is added for each concept, in logits. */
  bias: z.object({ explicit: z.number(), implicit: z.number(), none: z.number() }),
  /** How many labelled items it was fitted on. */
  items: z.int(),
  fittedOn: z.array(z.object({ file: z.string(), sha256: z.string(), items: z.int() })),
});

/** How a critic's stated distribution becomes P̂, learnt from labelled exchanges. */
export interface FittedReference extends Described<z.infer<typeof referenceSchema>> {}

export interface ReferenceItem {
  /** What the critic stated. */
  stated: Distribution;
  unsafe: boolean;
  /** Which risk it is, when the label says so. */
  risk: 'explicit' | 'implicit' | null;
}

/** Shares of zero have no logarithm. */
const edge = 1e-3;
/** How strongly few items are held to "as stated". */
const ridge = 1;

/** P̂: the critic's distribution, as far as it has proved right on labelled data. */
export function applyReference(
  { temperature, bias }: Pick<FittedReference, 'temperature' | 'bias'>,
  stated: Distribution,
): Distribution {
  return sharesOf([temperature, bias.explicit, bias.implicit, bias.none], logarithmsOf(stated));
}

/**
 * Maximum likelihood with a small ridge, by Newton's method. An unsafe item whose risk is not known counts for explicit
 * and implicit together.
 *
 * @example fitReference([{ stated: { explicit: 0.7, implicit: 0.2, none: 0.1 }, unsafe: true, risk: 'explicit' }, …])
 */
export function fitReference(
  items: readonly ReferenceItem[],
  fittedOn: FittedReference['fittedOn'] = [],
): FittedReference {
  const observed = items.map((item) => ({ item, logarithms: logarithmsOf(item.stated) }));
  let parameters = start;
  let loss = lossOf(parameters);
  for (let step = 0; step < 100; step++) {
    const { gradient, curvature } = derivatives(parameters);
    const direction = solve(curvature, gradient);
    const next = descend(direction);
    if (next === null) break;
    const gain = loss - next.loss;
    ({ parameters, loss } = next);
    if (gain < 1e-9 * Math.max(1, loss)) break;
  }
  const [temperature, explicit, implicit, none] = parameters as [number, number, number, number];
  return { version: 1, temperature, bias: { explicit, implicit, none }, items: items.length, fittedOn };

  /** Halves the step until it helps; null when no step does. */
  function descend(direction: readonly number[]): { parameters: number[]; loss: number } | null {
    for (let size = 1; size > 1e-8; size /= 2) {
      const tried = parameters.map((parameter, index) => parameter - size * direction[index]!);
      const triedLoss = lossOf(tried);
      if (triedLoss < loss) return { parameters: tried, loss: triedLoss };
    }
    return null;
  }

  function lossOf(tried: readonly number[]): number {
    const penalty = tried.reduce((sum, parameter, index) => sum + (ridge / 2) * (parameter - start[index]!) ** 2, 0);
    return observed.reduce((sum, { item, logarithms }) => {
      const shares = sharesOf(tried, logarithms);
      const likelihood = possible(item).reduce((total, concept) => total + shares[concept], 0);
      return sum - Math.log(Math.max(likelihood, Number.MIN_VALUE));
    }, penalty);
  }

  /** The curvature is that of the multinomial, which bounds the true one where a label leaves two concepts open. */
  function derivatives(at: readonly number[]): { gradient: number[]; curvature: number[][] } {
    const gradient = at.map((parameter, index) => ridge * (parameter - start[index]!));
    const curvature = at.map((_, row) => at.map((__, column) => (row === column ? ridge : 0)));
    for (const { item, logarithms } of observed) {
      const shares = sharesOf(at, logarithms);
      const open = possible(item);
      const likelihood = open.reduce((total, concept) => total + shares[concept], 0);
      const features = riskConcepts.map((concept, place) => [
        logarithms[concept],
        ...riskConcepts.map((_, other) => (place === other ? 1 : 0)),
      ]);
      const mean = at.map((_, index) =>
        riskConcepts.reduce((sum, concept, place) => sum + shares[concept] * features[place]![index]!, 0),
      );
      riskConcepts.forEach((concept, place) => {
        const target = open.includes(concept) ? shares[concept] / likelihood : 0;
        at.forEach((_, row) => {
          gradient[row]! += (shares[concept] - target) * features[place]![row]!;
          at.forEach((__, column) => {
            curvature[row]![column]! +=
              shares[concept] * (features[place]![row]! - mean[row]!) * (features[place]![column]! - mean[column]!);
          });
        });
      });
    }
    return { gradient, curvature };
  }
}

/** Temperature, then the biases of explicit, implicit and none: as stated. */
const start: readonly number[] = [1, 0, 0, 0];

function sharesOf([temperature, explicit, implicit, none]: readonly number[], logarithms: Distribution): Distribution {
  const bias = { explicit: explicit!, implicit: implicit!, none: none! };
  const logits = byConcept((concept) => temperature! * logarithms[concept] + bias[concept]);
  const largest = Math.max(...riskConcepts.map((concept) => logits[concept]));
  return normalised(byConcept((concept) => Math.exp(logits[concept] - largest)));
}

function logarithmsOf(stated: Distribution): Distribution {
  const sure = smoothed(stated, edge);
  return byConcept((concept) => Math.log(sure[concept]));
}

function possible({ unsafe, risk }: ReferenceItem): RiskConcept[] {
  if (!unsafe) return ['none'];
  return risk ? [risk] : ['explicit', 'implicit'];
}

/** Gaussian elimination; the ridge keeps the matrix positive definite, so that no pivot is zero. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = pivot + 1; row < size; row++) {
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!;
      for (let column = pivot; column <= size; column++) rows[row]![column]! -= factor * rows[pivot]![column]!;
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let row = size - 1; row >= 0; row--) {
    const known = solution.reduce((sum, value, column) => (column > row ? sum + rows[row]![column]! * value : sum), 0);
    solution[row] = (rows[row]![size]! - known) / rows[row]![row]!;
  }
  return solution;
}

/** Reads a fitted reference from its JSON, or says in one line why it is none. */
export function readReference(json: string, name: string): FittedReference {
  const hint =
    'Pass a reference that was fitted on labelled exchanges, or take the setting out to use what the critic states.';
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AgonError('not-a-reference', `${name} is not JSON: ${(error as Error).message}.`, hint, { cause: error });
  }
  const parsed = referenceSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new AgonError(
    'not-a-reference',
    `${name} is not a fitted reference: ${first!.path.join('.') || 'it'}: ${first!.message}.`,
    hint,
  );
}

/** The reference of equation 5 in a file, or one line that says why there is none. */
export async function loadReference(file: string): Promise<FittedReference> {
  const json = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[error.code ?? ''] ??
      error.message;
    throw new AgonError(
      'unreadable-reference',
      `The reference ${file} cannot be read: ${reason}.`,
      'Check the path in evaluation.reference or --reference.',
      { cause: error },
    );
  });
  return readReference(json, file);
}
