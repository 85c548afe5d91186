import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { digestEyes, locateParts, requireReading } from './parts.ts';

const absent = {
  environment: { AGON_PARTS: path.join(tmpdir(), 'no-parts') },
  resolve: (name: string): string => {
    throw new Error(`Cannot find module '${name}'`);
  },
};

test('eyes that cannot read are other eyes: a case that they saw is not the one that readers see', async () => {
  expect(await digestEyes()).not.toBe(await digestEyes(absent));
  expect(await digestEyes()).toBe(await digestEyes());
});

test('without the package what reads is looked for among the parts, and its absence says how to add it', async () => {
  const files = await locateParts(absent);
  expect(files['detect']!.path).toContain('no-parts');
  await expect(requireReading(files)).rejects.toMatchObject({
    code: 'missing-part',
    hints: { cli: expect.stringContaining('agon models add vision') },
  });
});
