import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPdf } from '../../test/support/drawn-pdf.ts';
import { openDocumentReader } from './document-reader.ts';
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

  // A busy machine may stand still for a moment, though not each time.
  test('keep nobody waiting', { retry: 2 }, async () => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    await pause(50);
    delay.enable();
    await reader.read([{ name: 'report.pdf', bytes: pdf }]);
    await pause(50);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(500);
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
    const began = performance.now();
    setTimeout(() => stop.abort(new Error('gone')), 100);
    await expect(reading).rejects.toThrow('gone');
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(other.usable).toBe(false);
  });

  test('take no more memory than they may', async () => {
    const said = Array.from({ length: 60_000 }, (_, line) => `Line ${line} says ${'x'.repeat(40)}.`).join('\n\n');
    const small = openDocumentReader({ memory: 24 });
    await expect(small.read([{ name: 'large.md', bytes: Buffer.from(said) }])).rejects.toMatchObject({
      code: 'document-too-large',
      message: expect.stringContaining('24 MiB'),
    });
    expect(small.usable).toBe(false);
  });
});
