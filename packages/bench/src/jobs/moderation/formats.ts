import { looksLikeRefusal } from '../../datasets/labelled-item.ts';
import {
  has,
  textIn,
  flagIn,
  safetyIn,
  type DataFormat,
  type ItemFields,
  type DatasetRow,
} from '../../datasets/format.ts';

const toxicchat: DataFormat = {
  name: 'toxicchat',
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

const flags: Readonly<Record<string, string>> = {
  S: 'sexual',
  H: 'hate',
  V: 'violence',
  HR: 'harassment',
  SH: 'self-harm',
  S3: 'sexual/minors',
  H2: 'hate/threatening',
  V2: 'violence/graphic',
};

/**
 * A flag that is absent is unknown: one raised flag makes an item unsafe, and an item is safe when those that are
 * known are all down.
 */
const openaiModeration: DataFormat = {
  name: 'openai-moderation',
  description:
    'OpenAI moderation samples: unsafe when any flag is 1, safe when all that are known are 0; absent flags are ' +
    'unknown.',
  source: 'data/samples-1680.jsonl.gz of the moderation-api-release repository',
  columns: 'prompt, S, H, V, HR, SH, S3, H2, V2',
  recognises: (row) =>
    has(row, 'prompt') && ['S', 'H', 'V', 'SH'].some((name) => has(row, name)) && !has(row, 'response'),
  read: (row) => [
    {
      id: row['id'],
      text: textIn(row, 'prompt'),
      label: labelOf(row),
      category: raised(row).map((name) => flags[name]),
    },
  ],
};

function raised(row: DatasetRow): string[] {
  return Object.keys(flags).filter((name) => flagIn(row, name) === true);
}

function labelOf(row: DatasetRow): string | undefined {
  if (raised(row).length > 0) return 'unsafe';
  return Object.keys(flags).some((name) => flagIn(row, name) === false) ? 'safe' : undefined;
}

const hatecheck: DataFormat = {
  name: 'hatecheck',
  description: 'HateCheck: functional tests of hate speech detection, hateful or non-hateful.',
  source: 'test_suite_cases.csv of the HateCheck repository',
  columns: 'functionality, case_id, test_case, label_gold, target_ident, …',
  recognises: (row) => has(row, 'test_case', 'label_gold'),
  read: (row) => [
    {
      id: row['case_id'],
      text: row['test_case'],
      label: meanings[String(row['label_gold']).trim().toLowerCase()] ?? row['label_gold'],
      category: textIn(row, 'functionality'),
    },
  ],
};

const meanings: Readonly<Record<string, string>> = { hateful: 'unsafe', 'non-hateful': 'safe' };

/**
 * Aetheria's own files. The image file has questions too, which its agents do not see: the image alone is judged
 * there.
 */
const airBench: DataFormat = {
  name: 'air-bench',
  description:
    'AIR-Bench: texts, image descriptions, texts with an image description. Refusals in their place are marked ' +
    'trivial.',
  source: 'data/only_text.json, only_img.json and text_img.json of the Aetheria repository',
  columns:
    'id, input, label | id, description, voted_img_risk | id, text, description, voted_risk; level1_category, ' +
    'level2_category, level3_category',
  recognises: (row) =>
    has(row, 'voted_risk') ||
    has(row, 'voted_img_risk') ||
    (has(row, 'description', 'level1_category') && (has(row, 'risk') || has(row, 'img_risk'))) ||
    isText(row),
  read: (row) => [fieldsOf(row)],
};

function isText(row: DatasetRow): boolean {
  return (
    has(row, 'input', 'label') &&
    Object.keys(row).every((key) => ['id', 'input', 'label', 'category'].includes(key)) &&
    /^(un)?harmful$/i.test(String(row['label']).trim())
  );
}

function fieldsOf(row: DatasetRow): ItemFields {
  const about = { id: row['id'], category: textIn(row, 'category', 'level1_category') };
  if (has(row, 'input'))
    return {
      ...about,
      text: row['input'],
      label: row['label'] ?? row['risk'],
      trivial: looksLikeRefusal(textIn(row, 'input')),
    };
  const description = row['description'] ?? row['image_description'];
  const trivial = looksLikeRefusal(typeof description === 'string' ? description : undefined);
  const ofImage = has(row, 'voted_img_risk') || (!has(row, 'voted_risk') && !has(row, 'risk'));
  if (ofImage)
    return {
      ...about,
      image_description: description,
      label: row['voted_img_risk'] ?? row['img_risk'] ?? row['label'],
      trivial,
    };
  return {
    ...about,
    text: row['text'],
    image_description: description,
    label: row['voted_risk'] ?? row['risk'] ?? row['label'],
    trivial,
  };
}

/** Published sets of contents. */
export const moderationFormats: readonly DataFormat[] = [airBench, hatecheck, openaiModeration, toxicchat];
