import { flagIn, has, safetyIn } from './cells.ts';
import type { DataFormat } from './format.ts';

export const toxicchat: DataFormat = {
  name: 'toxicchat',
  jobs: ['moderation'],
  description: 'ToxicChat: what users wrote to an assistant, toxic or not; attempts at a jailbreak are a category.',
  source: 'toxic-chat_annotation_*.csv of the ToxicChat data set',
  columns: 'conv_id, user_input, model_output, human_annotation, toxicity, jailbreaking',
  recognises: (row) => has(row, 'user_input', 'toxicity'),
  read: (row) => [
    {
      id: row['conv_id'],
      text: row['user_input'],
      label: safetyIn(row, 'toxicity'),
      category: flagIn(row, 'jailbreaking') ? 'jailbreaking' : undefined,
    },
  ],
};
