import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

test('whatever leaves something for npm run test:all has its row in test/README.md, and no other has', () => {
  const written = readFileSync(path.join(root, 'test/README.md'), 'utf8');
  const listed = [...written.matchAll(/^\| ((?:[\w./-]+\.ts(?:, )?)+) \| (?!\d+ \|$)/gm)].flatMap(([, files]) =>
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

test('every file that npm test leaves whole has its row with its seconds', () => {
  const written = readFileSync(path.join(root, 'test/README.md'), 'utf8');
  const listed = [...written.matchAll(/^\| (\S+\.long\.test\.ts) \| \d+ \|$/gm)].map(([, file]) => file!);
  const left = globSync(['packages/**/*.long.test.ts', 'test/**/*.long.test.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  expect(left.length).toBeGreaterThan(0);
  expect(listed.toSorted()).toEqual(left.toSorted());
});
