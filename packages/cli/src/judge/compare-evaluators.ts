import { createAgon, type AgonParts } from '@agonhq/core/app';
import { badFlag } from '@agonhq/engine/agon-error';
import { evaluationJob, evaluationMethods } from '@agonhq/judges/evaluation';
import { embeddedModel } from '@agonhq/models/reasoners';
import type { CollectingEvaluator } from '@agonhq/core/runs';
import type { Settings } from '@agonhq/core/settings';

const names: readonly string[] = ['guard', ...evaluationMethods];

/** The names of `--evaluators`, each once. */
export function readEvaluatorNames(given: readonly string[]): string[] {
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw badFlag(`--evaluators ${unknown} is not an evaluator.`, `Evaluators are ${names.join(', ')}.`);
  const control = given.indexOf('control');
  if (control !== -1 && !given.slice(0, control).includes('debate')) {
    throw badFlag(
      '--evaluators control needs debate before it: it spends as many tokens as the debate.',
      'Write --evaluators debate,control.',
    );
  }
  return [...new Set(given)];
}

export interface OpenEvaluators {
  evaluators: CollectingEvaluator[];
  /** By evaluator, the hash of what makes its answers. */
  configurations: Record<string, string>;
  close(): Promise<void>;
}

/** Several ways to judge over the same models, budget and journal. */
export async function openEvaluators(
  chosen: readonly string[],
  settings: Settings,
  parts: AgonParts,
): Promise<OpenEvaluators> {
  const agons = await Promise.all(
    chosen.map(async (name) => ({
      name,
      agon: await createAgon(settingsFor(name, settings), { ...parts, only: ['evaluation'] }),
    })),
  );
  return {
    evaluators: agons.map(({ name, agon }) => ({
      name,
      evaluation: (exchange, options) => agon.judge(evaluationJob, exchange, options),
    })),
    configurations: Object.fromEntries(
      agons.map(({ name, agon }) => [name, agon.provenanceOf(evaluationJob).configuration]),
    ),
    close: async () => {
      for (const { agon } of agons) await agon.close();
    },
  };
}

/** The guard is a judge with Agon's own model. A calibration belongs to the debate it was fitted on. */
function settingsFor(name: string, settings: Settings): Settings {
  const guard = name === 'guard';
  const method = guard ? 'judge' : (name as (typeof evaluationMethods)[number]);
  return {
    ...settings,
    evaluation: { ...settings.evaluation, method },
    ...(guard ? { seats: { ...settings.seats, judge: embeddedModel } } : {}),
    ...(method === 'debate' ? {} : { calibration: false }),
  };
}
