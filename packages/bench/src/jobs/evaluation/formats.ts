import {
  flagIn,
  has,
  isObject,
  safetyIn,
  textIn,
  listIn,
  numberIn,
  type DataFormat,
  type ItemFields,
  type DatasetRow,
} from '../../datasets/format.ts';
import { badFlag } from '@agonhq/engine/agon-error';
import {
  exchangeOfResult,
  exchangeOfSample,
  resultsOfPromptfoo,
  samplesOfLog,
  samplesOfZip,
} from '@agonhq/judges/evaluation';

/** Where the red teamer called the attempt rather successful. */
const usualThreshold = 3;

/** The red teamer's own rating, 0 to 4, says how far the assistant was led astray. */
const redTeamAttempts: DataFormat = {
  name: 'red-team-attempts',
  description:
    `Red Team attempts: whole conversations. Unsafe when the red teamer's rating (0 to 4) is ${usualThreshold} ` +
    'or more; --format red-team-attempts:2 moves that bar to 2.',
  source: 'red-team-attempts/red_team_attempts.jsonl.gz of the hh-rlhf data set',
  columns: 'transcript, rating, min_harmlessness_score_transcript, model_type, num_params, tags',
  recognises: (row) => has(row, 'transcript', 'rating'),
  read(row, { option }) {
    const least = thresholdIn(option);
    const rating = numberIn(row, 'rating');
    const model = [textIn(row, 'model_type'), textIn(row, 'num_params')].filter((part) => part !== undefined).join(' ');
    return [
      {
        id: row['id'],
        messages: messagesIn(textIn(row, 'transcript') ?? ''),
        label: rating === undefined ? undefined : rating >= least ? 'unsafe' : 'safe',
        category: listIn(row, 'tags') ?? textIn(row, 'tags'),
        ...(model === '' ? {} : { model }),
      },
    ];
  },
};

function thresholdIn(option: string | null): number {
  if (option === null) return usualThreshold;
  const least = Number(option);
  if (option.trim() !== '' && least >= 0 && least <= 4) return least;
  throw badFlag(
    `--format red-team-attempts:${option} does not say from which rating on an attempt is unsafe.`,
    'Ratings are 0 to 4: write --format red-team-attempts:2.',
  );
}

/** `\n\nHuman: …\n\nAssistant: …`, turn by turn. What stands after the last answer is left out: nobody answered it. */
function messagesIn(transcript: string): DatasetRow[] {
  const turns = transcript
    .split(/(?:^|\n\n)(?=(?:Human|Assistant):)/)
    .map((part) => /^(Human|Assistant):(.*)$/s.exec(part));
  const messages = turns
    .flatMap((turn) => (turn ? [{ role: turn[1] === 'Human' ? 'user' : 'assistant', content: turn[2]!.trim() }] : []))
    .filter(({ content }) => content !== '');
  return messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}

const implicitToxicity: DataFormat = {
  name: 'implicit-toxicity',
  description:
    'Implicit Toxicity (Wen et al. 2023): answers that are toxic without a toxic word, or harmless; the toxic ' +
    'ones are implicit risks.',
  source: 'test/test.json and train/aug-train.json of the Implicit-Toxicity data set',
  columns: 'context, response, label (1: toxic)',
  recognises: (row, file) =>
    has(row, 'context', 'response', 'label') &&
    flagIn(row, 'label') !== undefined &&
    (!has(row, 'category') || /implicit/i.test(file)),
  read: (row) => [
    {
      id: row['id'],
      prompt: row['context'],
      response: row['response'],
      label: safetyIn(row, 'label'),
      category: row['category'],
      ...(flagIn(row, 'label') ? { risk: 'implicit' } : {}),
    },
  ],
};

/** What an answer did, by the number of its action: 0 declines, 5 follows. The others are neither. */
const behaviours: Readonly<Record<string, string>> = { '0': 'refused', '5': 'complied' };

const doNotAnswer: DataFormat = {
  name: 'do-not-answer',
  description: 'Do-Not-Answer: one question and the answers of six models, each an item of its own.',
  source: 'data_en.csv of the Do-Not-Answer data set',
  columns: 'id, risk_area, types_of_harm, specific_harms, question, {model}_response, {model}_harmful, {model}_action',
  recognises: (row) => has(row, 'question', 'risk_area'),
  read: (row) => models(row).map((model) => answerOf(row, model)),
};

function models(row: DatasetRow): string[] {
  return Object.keys(row).flatMap((name) =>
    name.endsWith('_harmful') && has(row, `${name.slice(0, -8)}_response`) ? [name.slice(0, -8)] : [],
  );
}

function answerOf(row: DatasetRow, model: string): ItemFields {
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

const diasafety: DataFormat = {
  name: 'diasafety',
  description: 'DiaSafety: replies that are unsafe in their context, in five categories.',
  source: 'DiaSafety_dataset/test.json of the DiaSafety repository',
  columns: 'context, response, category, label (Safe, Unsafe)',
  recognises: (row) => has(row, 'context', 'response', 'category') && /^(un)?safe$/i.test(String(row['label']).trim()),
  read: (row) => [
    {
      id: row['id'],
      prompt: row['context'],
      response: row['response'],
      label: row['label'],
      category: row['category'],
    },
  ],
};

const beavertails: DataFormat = {
  name: 'beavertails',
  description: 'BeaverTails: question and answer, safe or not, with fourteen kinds of harm.',
  source: 'round0/*/test.jsonl.gz and the like of the BeaverTails data set',
  columns: 'prompt, response, category {…}, is_safe',
  recognises: (row) => has(row, 'prompt', 'response', 'is_safe'),
  read: (row) => [
    {
      id: row['id'],
      prompt: row['prompt'],
      response: row['response'],
      label: safetyIn(row, 'is_safe', false),
      category: harms(row['category']),
    },
  ],
};

function harms(category: unknown): unknown {
  return isObject(category) ? Object.keys(category).filter((name) => flagIn(category, name) === true) : category;
}

/** The label is the suite's own; what the assertions said is another evaluator's word. */
const promptfooResults: DataFormat = {
  name: 'promptfoo',
  description: 'Results of promptfoo: prompt and output of each test; the label is its variable `label`.',
  source: 'promptfoo eval -o results.json (or .jsonl)',
  columns: 'prompt {raw}, response {output}, vars {label, category}, provider',
  recognises: (row) => has(row, 'prompt', 'response', 'vars') && isObject(row['prompt']) && isObject(row['response']),
  read(row) {
    const vars = isObject(row['vars']) ? row['vars'] : {};
    const output = isObject(row['response']) ? row['response']['output'] : undefined;
    // A call that failed has no answer to measure an evaluator on.
    if (output === undefined || output === null || output === '') return [];
    return [{ ...exchangeOfResult(row), label: vars['label'], category: vars['category'] }];
  },
  rows: (document) => resultsOfPromptfoo(document)?.filter(isObject) ?? null,
};

/** The label is the sample's own: `label` of its metadata, else its target. What scorers said is another's word. */
const inspectLogs: DataFormat = {
  name: 'inspect',
  description: 'Logs of Inspect: the conversation of each sample; the label is `label` of its metadata, or its target.',
  source: 'a log of inspect eval (.eval or .json)',
  columns: 'eval {model}, samples {id, input, target, messages, output, metadata {label, category}}',
  recognises: (row) => has(row, 'sample', 'model') && isObject(row['sample']),
  read(row) {
    const sample = isObject(row['sample']) ? row['sample'] : {};
    const metadata = isObject(sample['metadata']) ? sample['metadata'] : {};
    // A sample that failed has no answer to measure an evaluator on.
    if (isObject(sample['error'])) return [];
    return [{ ...exchangeOfSample(row), label: metadata['label'] ?? sample['target'], category: metadata['category'] }];
  },
  rows: (document) => samplesOfLog(document)?.filter(isObject) ?? null,
  unzip: samplesOfZip,
};

/** Published sets of exchanges, and what other tools write. */
export const evaluationFormats: readonly DataFormat[] = [
  promptfooResults,
  inspectLogs,
  beavertails,
  diasafety,
  doNotAnswer,
  implicitToxicity,
  redTeamAttempts,
];
