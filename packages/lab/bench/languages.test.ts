import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Row {
  id: string;
  lang: string;
  label: string;
  text: string;
}

const root = path.join(import.meta.dirname, '..', '..', '..');
const rows = readFileSync(path.join(import.meta.dirname, 'languages.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

test('every item of the languages suite stands in sixteen languages, with one label', () => {
  const byLanguage = Map.groupBy(rows, ({ lang }) => lang);
  expect(byLanguage.size).toBe(16);
  for (const items of byLanguage.values()) {
    expect(new Set(items.map(({ id }) => id)).size).toBe(110);
    expect(items.filter(({ label }) => label === 'unsafe')).toHaveLength(60);
  }
  for (const items of Map.groupBy(rows, ({ id }) => id).values())
    expect(new Set(items.map(({ label }) => label)).size).toBe(1);
});

test('no model is trained on a sentence of the languages suite', () => {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const trained = new Set(
    globSync('packages/lab/training/contrast/languages/*.tsv', { cwd: root })
      .flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n'))
      .flatMap((line) => line.split('\t').map(plain)),
  );
  expect(trained.size).toBeGreaterThan(15_000);
  expect(rows.filter(({ text }) => trained.has(plain(text)))).toEqual([]);
});
