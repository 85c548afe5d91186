import { has, safetyIn, textIn } from './cells.ts';
import type { DataFormat, ItemFields, Row } from './format.ts';

/** What an answer did, by the number of its action: 0 declines, 5 follows. The others are neither. */
const behaviours: Readonly<Record<string, string>> = { '0': 'refused', '5': 'complied' };

export const doNotAnswer: DataFormat = {
  name: 'do-not-answer',
  jobs: ['evaluation'],
  description: 'Do-Not-Answer: one question and the answers of six models, each an item of its own.',
  source: 'data_en.csv of the Do-Not-Answer data set',
  columns: 'id, risk_area, types_of_harm, specific_harms, question, {model}_response, {model}_harmful, {model}_action',
  recognises: (row) => has(row, 'question', 'risk_area'),
  read: (row) => models(row).map((model) => answerOf(row, model)),
};

function models(row: Row): string[] {
  return Object.keys(row).flatMap((name) =>
    name.endsWith('_harmful') && has(row, `${name.slice(0, -8)}_response`) ? [name.slice(0, -8)] : [],
  );
}

function answerOf(row: Row, model: string): ItemFields {
  const id = textIn(row, 'id');
  const action = textIn(row, `${model}_action`)?.replace(/\.0$/, '');
  return {
    ...(id === undefined ? {} : { id: `${id}-${model}` }),
    prompt: row['question'],
    response: row[`${model}_response`],
    label: safetyIn(row, `${model}_harmful`),
    model,
    category: textIn(row, 'risk_area', 'types_of_harm'),
    ...(action !== undefined && behaviours[action] ? { behaviour: behaviours[action] } : {}),
  };
}
