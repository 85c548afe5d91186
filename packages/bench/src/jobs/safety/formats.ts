import {
  flagIn,
  has,
  isObject,
  safety,
  safetyIn,
  textIn,
  type DataFormat,
  type ItemFields,
  type DatasetRow,
} from '../../datasets/format.ts';

const jailbreakbench: DataFormat = {
  name: 'jailbreakbench',
  description:
    'JailbreakBench: attack artifacts (jailbroken or not), the comparison of judges with three human labels, and ' +
    'its behaviours (harmful, benign in benign-behaviors.csv).',
  source:
    'attack-artifacts/**/*.json of the artifacts repository; judge_comparison.csv, harmful-behaviors.csv and ' +
    'benign-behaviors.csv of JBB-Behaviors',
  columns:
    '{parameters, jailbreaks: [{index, goal, behavior, category, prompt, response, jailbroken}]} | goal, prompt, ' +
    'target_response, human1, human2, human3, human_majority | Index, Goal, Target, Behavior, Category',
  recognises: (row) =>
    has(row, 'prompt', 'response', 'jailbroken') ||
    has(row, 'target_response', 'human_majority') ||
    has(row, 'Goal', 'Behavior', 'Category'),
  read: (row, { file }) =>
    has(row, 'jailbroken')
      ? artifactOf(row)
      : has(row, 'human_majority')
        ? [comparisonOf(row)]
        : [jailbreakBehaviour(row, file)],
  rows(document) {
    const { parameters, jailbreaks } = document;
    if (!Array.isArray(jailbreaks) || !jailbreaks.every(isObject)) return null;
    const model = isObject(parameters) ? textIn(parameters, 'model') : undefined;
    return jailbreaks.map((one) => (model === undefined ? one : { model, ...one }));
  },
};

/** An attack that found no prompt has no answer either. */
function artifactOf(row: DatasetRow): ItemFields[] {
  if (textIn(row, 'prompt') === undefined && textIn(row, 'response') === undefined) return [];
  return [
    {
      id: row['index'],
      prompt: row['prompt'],
      response: row['response'],
      label: safetyIn(row, 'jailbroken'),
      model: row['model'],
      category: textIn(row, 'category', 'behavior'),
    },
  ];
}

function comparisonOf(row: DatasetRow): ItemFields {
  const raters = ['human1', 'human2', 'human3'].flatMap((name) => safety(flagIn(row, name)) ?? []);
  return {
    id: row['Index'] ?? row['index'],
    prompt: textIn(row, 'prompt', 'goal'),
    response: row['target_response'],
    label: safetyIn(row, 'human_majority'),
    category: textIn(row, 'category', 'Category'),
    ...(raters.length > 0 ? { raters } : {}),
  };
}

function jailbreakBehaviour(row: DatasetRow, file: string): ItemFields {
  return {
    id: row['Index'],
    text: row['Goal'],
    label: /benign/i.test(file) ? 'safe' : 'unsafe',
    category: row['Category'],
  };
}

const types = new RegExp(
  '^(contrast_.+|homonyms|figurative_language|safe_targets|safe_contexts|definitions|real_group_nons_discr|' +
    'nons_group_real_discr|historical_events|privacy_public|privacy_fictional)$',
);
const annotations = ['annotation_1', 'annotation_2'] as const;

/**
 * Prompts whose type begins with `contrast_` are unsafe. An answer is unsafe when it complies in full with such a
 * prompt.
 */
const xstest: DataFormat = {
  name: 'xstest',
  description:
    'XSTest: prompts (types that begin with contrast_ are unsafe), and answers to them with refusal annotations ' +
    '(full compliance with an unsafe prompt is unsafe).',
  source: 'xstest_prompts.csv and model_completions/annotated of the XSTest repository',
  columns: 'id, prompt, type, label | id, type, prompt, completion, annotation_1, annotation_2, final_label',
  recognises: (row) => has(row, 'prompt', 'type') && !has(row, 'response') && types.test(String(row['type'])),
  read: (row) => [has(row, 'completion') ? answerOf(row) : promptOf(row)],
};

function promptOf(row: DatasetRow): ItemFields {
  return { id: idOf(row), text: row['prompt'], label: isUnsafe(row) ? 'unsafe' : 'safe', category: row['type'] };
}

function answerOf(row: DatasetRow): ItemFields {
  const final = textIn(row, 'final_label', 'human_label', 'gpt4_label', 'annotation_1');
  const raters = annotations.flatMap((name) => judged(row, textIn(row, name)) ?? []);
  return {
    id: idOf(row),
    prompt: row['prompt'],
    response: row['completion'],
    label: judged(row, final),
    category: row['type'],
    behaviour: final?.startsWith('1') ? 'complied' : final?.startsWith('2') ? 'refused' : undefined,
    ...(raters.length > 1 ? { raters } : {}),
  };
}

/** `1_full_compliance`, `2_full_refusal`, `3_partial_refusal`; none when nobody said. */
function judged(row: DatasetRow, annotation: string | undefined): 'safe' | 'unsafe' | undefined {
  return annotation === undefined || !/^[123]/.test(annotation)
    ? undefined
    : isUnsafe(row) && annotation.startsWith('1')
      ? 'unsafe'
      : 'safe';
}

function isUnsafe(row: DatasetRow): boolean {
  const type = textIn(row, 'type');
  return type === undefined ? textIn(row, 'label') === 'unsafe' : type.startsWith('contrast_');
}

function idOf(row: DatasetRow): unknown {
  return row['id'] ?? row['id_v2'] ?? row['id_v1'];
}

/**
 * Behaviours are harmful requests; completions carry a classifier's label; the classifiers' validation set carries
 * those of three people.
 */
const harmbench: DataFormat = {
  name: 'harmbench',
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

function behaviourOf(row: DatasetRow): ItemFields {
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

function completionOf(row: DatasetRow): ItemFields {
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

function humans(row: DatasetRow): string[] {
  return Object.keys(row)
    .filter((name) => /^human_\d+$/.test(name))
    .toSorted()
    .flatMap((name) => safety(flagIn(row, name)) ?? []);
}

/** `{ behaviour: [{ test_case, generation, label }, …], … }` */
function completionsIn(document: DatasetRow): DatasetRow[] | null {
  const lists = Object.entries(document);
  const fits =
    lists.length > 0 &&
    lists.every(([, list]) => Array.isArray(list) && list.every((one) => isObject(one) && has(one, 'generation')));
  return fits
    ? lists.flatMap(([behaviour, list]) =>
        (list as DatasetRow[]).map((one, index) => ({ id: `${behaviour}-${index}`, ...one, behavior_id: behaviour })),
      )
    : null;
}

/** Published sets of contents and of exchanges. */
export const safetyFormats: readonly DataFormat[] = [harmbench, xstest, jailbreakbench];
