import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { figuresXlsx, reportPdf, sentences } from './support/report-files.ts';
import { createAgon } from '@agonhq/core';

const page = await readFile(new URL('../docs/documents.md', import.meta.url), 'utf8');
const example = [...page.matchAll(/```ts\n(.*?)```/gs)]
  .map(([, code]) => code!)
  .find((code) => code.includes('readDossier('))!;

test('the tools of documents work alone as docs/documents.md shows', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-example-'));
  const files = [
    { name: 'report.pdf', bytes: await reportPdf({ growth: sentences.flawed }) },
    { name: 'figures.xlsx', bytes: await figuresXlsx() },
  ];
  for (const { name, bytes } of files) await writeFile(path.join(folder, name), bytes);
  const agon = await createAgon({}, { environment: {}, secret: 'test', only: ['documents'] });
  await writeFile(path.join(folder, 'trace.json'), JSON.stringify(await agon.analyze(files)));
  await agon.close();
  await writeFile(
    path.join(folder, 'example.ts'),
    example.replace("'@agonhq/agon'", JSON.stringify(fileURLToPath(import.meta.resolve('@agonhq/core')))),
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder });
  expect(stdout).toMatch(/report\.pdf, “51 %”: \(4\.6 − 4\.0\) \/ 4\.0 = 15 %, stated 51 %/);
  expect(stdout).toMatch(/\n\[\]\n$/);
}, 120_000);
