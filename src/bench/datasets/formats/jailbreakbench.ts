import { flagIn, has, isObject, safety, safetyIn, textIn } from './cells.ts';
import type { DataFormat, ItemFields, Row } from './format.ts';

export const jailbreakbench: DataFormat = {
  name: 'jailbreakbench',
  jobs: ['moderation', 'evaluation'],
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
        : [behaviourOf(row, file)],
  rows(document) {
    const { parameters, jailbreaks } = document;
    if (!Array.isArray(jailbreaks) || !jailbreaks.every(isObject)) return null;
    const model = isObject(parameters) ? textIn(parameters, 'model') : undefined;
    return jailbreaks.map((one) => (model === undefined ? one : { model, ...one }));
  },
};

/** An attack that found no prompt has no answer either. */
function artifactOf(row: Row): ItemFields[] {
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

function comparisonOf(row: Row): ItemFields {
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

function behaviourOf(row: Row, file: string): ItemFields {
  return {
    id: row['Index'],
    text: row['Goal'],
    label: /benign/i.test(file) ? 'safe' : 'unsafe',
    category: row['Category'],
  };
}
