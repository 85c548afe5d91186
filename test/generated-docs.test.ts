import path from 'node:path';
import { expect, test } from 'vitest';
import { generateDocs } from '../docs/generate.ts';

test.each(generateDocs())('$file is what npm run generate:docs makes of the code', ({ file, text, expected }) => {
  expect(text, path.basename(file)).toBe(expected);
});
