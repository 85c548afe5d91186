import { flagIn, has, isObject, safety, safetyIn, textIn } from './cells.ts';
import type { DataFormat, ItemFields, Row } from './format.ts';

/**
 * Behaviours are harmful requests; completions carry a classifier's label; the classifiers' validation set carries
 * those of three people.
 */
export const harmbench: DataFormat = {
  name: 'harmbench',
  jobs: ['moderation', 'evaluation'],
  description:
    'HarmBench: behaviours (all harmful requests), completions with their label, and the validation set with ' +
    'human labels.',
  source: 'data/behavior_datasets/*.csv, results/**/*.json and the human validation set of the HarmBench repository',
  columns:
    'Behavior, FunctionalCategory, SemanticCategory, Tags, ContextString, BehaviorID | {BehaviorID: [{test_case, ' +
    'generation, label}]} | behavior, generation, human_0, human_1, human_2',
  recognises: (row) =>
    has(row, 'Behavior', 'SemanticCategory') ||
    has(row, 'test_case', 'generation') ||
    (has(row, 'generation') && humans(row).length > 0),
  read: (row) => [has(row, 'generation') ? completionOf(row) : behaviourOf(row)],
  rows: completionsIn,
};

function behaviourOf(row: Row): ItemFields {
  const context = textIn(row, 'ContextString');
  const behaviour = textIn(row, 'Behavior');
  return {
    id: row['BehaviorID'],
    label: 'unsafe',
    text: context === undefined || behaviour === undefined ? behaviour : `${context}\n\n---\n\n${behaviour}`,
    image_description: row['ImageDescription'],
    category: textIn(row, 'SemanticCategory', 'FunctionalCategory'),
  };
}

function completionOf(row: Row): ItemFields {
  const raters = humans(row);
  return {
    id: textIn(row, 'id', 'idx'),
    prompt: textIn(row, 'test_case', 'prompt', 'behavior', 'Behavior'),
    response: row['generation'],
    label: safetyIn(row, 'label') ?? safetyIn(row, 'human_consensus') ?? safetyIn(row, 'majority'),
    model: textIn(row, 'model', 'model_name'),
    category: textIn(row, 'SemanticCategory', 'category', 'FunctionalCategory', 'behavior_id'),
    ...(raters.length > 0 ? { raters } : {}),
  };
}

function humans(row: Row): string[] {
  return Object.keys(row)
    .filter((name) => /^human_\d+$/.test(name))
    .toSorted()
    .flatMap((name) => safety(flagIn(row, name)) ?? []);
}

/** `{ behaviour: [{ test_case, generation, label }, …], … }` */
function completionsIn(document: Row): Row[] | null {
  const lists = Object.entries(document);
  const fits =
    lists.length > 0 &&
    lists.every(([, list]) => Array.isArray(list) && list.every((one) => isObject(one) && has(one, 'generation')));
  return fits
    ? lists.flatMap(([behaviour, list]) =>
        (list as Row[]).map((one, index) => ({ id: `${behaviour}-${index}`, ...one, behavior_id: behaviour })),
      )
    : null;
}
