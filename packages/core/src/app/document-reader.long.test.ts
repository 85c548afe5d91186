import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { pdfBomb } from '@agonhq/test/support/contract/pdf-bomb.ts';
import { childrenOf, isAlive } from '@agonhq/test/support/process-tree.ts';
import { writeLetters } from '@agonhq/test/support/write-letters.ts';
import { checkNumbers } from '@agonhq/documents';
import { HasToLook, openDocumentReader } from './document-reader.ts';
import { readDossier } from './read-files.ts';

let pdf: Uint8Array;
beforeAll(async () => {
  pdf = await drawnPdf((drawn) => {
    for (let page = 1; page <= 40; page++) {
      if (page > 1) drawn.addPage();
      for (let line = 0; line < 25; line++)
        drawn
          .fontSize(10)
          .text(
            `In quarter ${page}, revenue of segment ${line} grew by ${line} percent to ${1000 + page} million dollars.`,
          );
    }
  });
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-apart-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const reader = openDocumentReader();
afterAll(() => reader.close());

describe('files that are read apart', { timeout: 60_000 }, () => {
  test('are read as they are here', async () => {
    const note = path.join(folder, 'note.md');
    await writeFile(
      note,
      '# Results\n\nRevenue grew by 3 % to 40 million dollars.\n\n| year | revenue |\n|---|---|\n| 2024 | 40 |\n',
    );
    const files = [note, { name: 'report.pdf', bytes: pdf }];
    expect(await reader.read(files)).toEqual(await readDossier(files));
  });

  test('have their numbers checked there too, where somebody asks for it', async () => {
    const table = '| site | revenue |\n|---|---|\n| Lyon | 40 |\n| Brno | 60 |\n| Total | 110 |\n';
    const files = [{ name: 'sites.md', bytes: new TextEncoder().encode(`# Sites\n\n${table}`) }];
    const { numbers, ...dossier } = await reader.read(files, { checkFor: [] });
    expect(dossier).toEqual(await readDossier(files));
    expect(numbers).toEqual(checkNumbers(dossier));
    expect(numbers?.some(({ outcome }) => outcome === 'conflict')).toBe(true);
  });

  test('keep nobody waiting', async () => {
    const here = performance.eventLoopUtilization();
    await reader.read([{ name: 'report.pdf', bytes: pdf }]);
    const { active, idle } = performance.eventLoopUtilization(here);
    // However long it takes on a busy machine: this thread has next to nothing to do meanwhile.
    expect(active / (active + idle)).toBeLessThan(0.5);
  });

  test('that cannot be read are an error with its code, like here', async () => {
    for (const bytes of [Buffer.from('%PDF-1.7\nnothing more'), Buffer.alloc(0)]) {
      const [here, apart] = await Promise.all(
        [readDossier, reader.read].map((read) => read([{ name: 'a.pdf', bytes }]).catch((error: unknown) => error)),
      );
      const { code, message, hint } = here as { code: string; message: string; hint: string };
      expect(apart).toMatchObject({ code, message, hint });
    }
    await expect(reader.read([path.join(folder, 'nowhere.pdf')])).rejects.toMatchObject({ code: 'document-not-found' });
    expect(reader.usable).toBe(true);
  });

  test('are let go of at once when nobody waits any more', async () => {
    const stop = new AbortController();
    const other = openDocumentReader();
    const reading = other.read([{ name: 'report.pdf', bytes: pdf }], { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('gone')), 100);
    await expect(reading).rejects.toThrow('gone');
    expect(other.usable).toBe(false);
    await expect(other.read(['report.pdf'])).rejects.toThrow('gone');
  });

  test('take no more memory than they may, of whatever kind it is', async () => {
    const letters = Array.from({ length: 60_000 }, (_, line) => `Line ${line} says ${'x'.repeat(40)}.`).join('\n\n');
    for (const file of [
      { name: 'large.md', bytes: Buffer.from(letters) },
      { name: 'bomb.pdf', bytes: pdfBomb() },
    ]) {
      const small = openDocumentReader({ memory: 160 });
      await expect(small.read([file]), file.name).rejects.toMatchObject({
        code: 'document-too-large',
        message: expect.stringContaining('160 MiB'),
      });
      expect(small.usable).toBe(false);
    }
  });

  test('take no more time than they may', async () => {
    const hasty = openDocumentReader({ seconds: 0.01 });
    await expect(hasty.read([{ name: 'report.pdf', bytes: pdf }])).rejects.toMatchObject({
      code: 'document-too-slow',
      hint: expect.stringContaining('part that is to be judged'),
    });
    expect(hasty.usable).toBe(false);
  });

  test('with pictures of text are left to a reader that may look at them', async () => {
    const scan = await writeLetters(['KILL THEM', 'ALL THE MEN']).png().toBuffer();
    const files = [{ name: 'scan.png', bytes: scan }];
    await expect(reader.read(files, { mayLook: false })).rejects.toThrow(HasToLook);
    expect((await reader.read(files)).documents[0]!.text).toContain('KILL THEM');
  });

  test.skipIf(process.platform !== 'linux')('end with the process that they are read for', async () => {
    const script = `
      const { openDocumentReader } = await import(${JSON.stringify(new URL('document-reader.ts', import.meta.url).href)});
      const reading = openDocumentReader().read([{ name: 'bomb.pdf', bytes: Buffer.from('${pdfBomb().toString('base64')}', 'base64') }]);
      setTimeout(() => console.log('reading'), 1_000);
      await reading;`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(parent.stdout, 'data');
    const [child] = childrenOf(parent.pid!);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(child!), { timeout: 30_000 }).toBe(false);
  });
});
