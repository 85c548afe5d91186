import { looksLikeRefusal } from '../refuses.ts';
import { has, textIn } from './cells.ts';
import type { DataFormat, ItemFields, Row } from './format.ts';

/**
 * Aetheria's own files. The image file has questions too, which its agents do not see: the image alone is judged
 * there.
 */
export const airBench: DataFormat = {
  name: 'air-bench',
  jobs: ['moderation'],
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

function isText(row: Row): boolean {
  return (
    has(row, 'input', 'label') &&
    Object.keys(row).every((key) => ['id', 'input', 'label', 'category'].includes(key)) &&
    /^(un)?harmful$/i.test(String(row['label']).trim())
  );
}

function fieldsOf(row: Row): ItemFields {
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
