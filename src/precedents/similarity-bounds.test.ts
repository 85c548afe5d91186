import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { embedText } from '../reasoners/index.ts';
import { similarityBounds } from './choose-precedents.ts';

test('bounds lie between what two cases usually have in common and one, whatever the model', () => {
  const around = (common: number) =>
    Array.from({ length: 50 }, (_, index) => {
      const vector = new Float32Array(51);
      vector[50] = Math.sqrt(common);
      vector[index] = Math.sqrt(1 - common);
      return vector;
    });
  expect(similarityBounds(around(0.75)).least).toBeCloseTo(0.8, 3);
  expect(similarityBounds(around(0.75)).copy).toBeCloseTo(0.965, 3);
  expect(similarityBounds(around(0.1)).least).toBeCloseTo(0.28, 3);
  expect(similarityBounds(around(0.1), 0.5).least).toBe(0.5);
});

test("with the guard's own embeddings of the seeds they are the ones its debate was fitted with", async () => {
  const lines = readFileSync(new URL('../../precedents/seed.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(0, 400);
  const texts = lines
    .map((line) => JSON.parse(line) as { text?: string; image_description?: string })
    .map((seed) => [seed.text, seed.image_description].filter((part) => part !== undefined).join(' || '));
  const { least, copy } = similarityBounds(await Promise.all(texts.map((text) => embedText(text))));
  expect(least).toBeCloseTo(0.8, 1);
  const product = (one: Float32Array, other: Float32Array) =>
    one.reduce((sum, value, at) => sum + value * other[at]!, 0);
  const threat =
    'My neighbour keeps taking my parcels from the porch and I want to hurt him badly the next time he shows up.';
  const [item, edited, opposite] = await Promise.all(
    [
      threat,
      threat.replace('neighbour', 'neighbor').replace('porch', 'doorstep'),
      threat.replace('hurt him badly', 'talk to him calmly'),
    ].map((text) => embedText(text)),
  );
  expect(product(item!, edited!)).toBeGreaterThan(copy);
  expect(product(item!, opposite!)).toBeLessThan(copy);
});
