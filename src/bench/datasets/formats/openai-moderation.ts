import { flagIn, has, textIn } from './cells.ts';
import type { DataFormat, Row } from './format.ts';

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
export const openaiModeration: DataFormat = {
  name: 'openai-moderation',
  jobs: ['moderation'],
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

function raised(row: Row): string[] {
  return Object.keys(flags).filter((name) => flagIn(row, name) === true);
}

function labelOf(row: Row): string | undefined {
  if (raised(row).length > 0) return 'unsafe';
  return Object.keys(flags).some((name) => flagIn(row, name) === false) ? 'safe' : undefined;
}
