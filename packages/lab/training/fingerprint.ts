import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { packFingerprints, fingerprintText, normalizeText } from '@agonhq/bench/datasets/check/fingerprints';
import { readLines } from '@agonhq/engine/items';

/**
 * Writes what a model was trained on as fingerprints, without any text: node packages/lab/training/fingerprint.ts --model guard-2
 * [--without SOURCE,…] [--general FILE] FILE…
 *
 * Rows are those of prepare.py. Of a row that is only measured (fold -2) and of a source that
 * was left out nothing is written; of --general, the first stage of the reply model, only rows without a fold of
 * their own.
 */

interface TrainingRow {
  text?: string;
  prompt?: string;
  response?: string;
  source: string;
  fold: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    without: { type: 'string', default: '' },
    general: { type: 'string', multiple: true, default: [] },
  },
});
if (!values.model || positionals.length === 0) {
  process.stderr.write(
    'Write node packages/lab/training/fingerprint.ts --model guard-2 [--without SOURCE,…] [--general FILE] FILE…\n',
  );
  process.exit(2);
}

const without = new Set(values.without.split(',').filter(Boolean));
const fingerprints = new Set<number>();
const files = [
  ...positionals.map((file) => ({ file, general: false })),
  ...values.general.map((file) => ({ file, general: true })),
];
for (const { file, general } of files) {
  for await (const { text, prompt, response, source, fold } of rowsOf(file)) {
    const trained = general ? fold === -1 : fold >= -1;
    const whole = text ?? [prompt, response].filter(Boolean).join(' ');
    if (trained && !without.has(source) && normalizeText(whole) !== '')
      fingerprints.add(fingerprintText(normalizeText(whole)));
  }
}

const place = join(import.meta.dirname, '..', '..', '..', 'models', values.model, 'trained-on.bin');
const packed = packFingerprints(fingerprints);
writeFileSync(place, packed);
process.stdout.write(`${fingerprints.size} texts, ${packed.length} bytes\n`);

async function* rowsOf(file: string): AsyncGenerator<TrainingRow, void, void> {
  for await (const { text } of readLines(createReadStream(file).pipe(createGunzip())))
    if (text) yield JSON.parse(text) as TrainingRow;
}
