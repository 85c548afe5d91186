import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

test('whatever leaves something for npm run test:all has its row in test/README.md, and no other has', () => {
  const written = readFileSync(path.join(root, 'test/README.md'), 'utf8');
  const listed = [...written.matchAll(/^\| ((?:[\w./-]+\.ts(?:, )?)+) \|/gm)].flatMap(([, files]) =>
    files!.split(', '),
  );
  const leaving = ['packages', 'test', 'examples']
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }))
    .filter((file) =>
      /from '(?:[./]+|@agonhq\/test)\/support\/(?:slow|programs)\.ts'/.test(
        readFileSync(path.join(root, file), 'utf8'),
      ),
    );
  expect(listed.toSorted()).toEqual(leaving.toSorted());
});
