import { describe, expect } from 'vitest';
import { pdfBomb } from '../support/contract/pdf-bomb.ts';
import { residentBytesOf } from '../support/process-tree.ts';
import { serve } from '../support/served.ts';
import { slowTest } from '../support/slow.ts';

/* Of one reader, packages/core/src/app/document-reader.long.test.ts shows it each time. */

const atOnce = 16;

function upload(url: string, name: string, content: string | Buffer<ArrayBuffer>): Promise<Response> {
  const form = new FormData();
  form.append('file', new File([content], name));
  return fetch(`${url}/api/jobs/documents/cases`, { method: 'POST', body: form });
}

/** The most memory that a server and its readers had together while something was done. */
async function measurePeak<Result>(pid: number, work: Promise<Result>): Promise<{ result: Result; peak: number }> {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, residentBytesOf(pid))), 25);
  try {
    return { result: await work, peak };
  } finally {
    clearInterval(timer);
  }
}

describe.skipIf(process.platform !== 'linux')('a PDF of 2 kB that unpacks to a gigabyte', () => {
  slowTest(
    `is refused in one line, ${atOnce} at once, within 1.5 GB that come back`,
    { timeout: 600_000 },
    async () => {
      const bomb = pdfBomb();
      expect(bomb.length).toBeLessThan(2_048);
      const { url, child } = await serve();
      const honest = '# Results\n\nRevenue grew to 120 million in 2024 from 100 million in 2023.\n';
      expect((await upload(url, 'report.md', honest)).status).toBe(200);

      const { result, peak } = await measurePeak(
        child.pid!,
        Promise.all(Array.from({ length: atOnce }, (_, index) => upload(url, `bomb-${index}.pdf`, bomb))),
      );
      for (const response of result) {
        expect(response.status).toBe(422);
        expect(await response.json()).toMatchObject({
          code: 'document-too-large',
          detail: expect.stringMatching(/^Reading [\w.-]+ takes more than \d+ MiB of memory\.[^\n]*$/),
        });
      }
      const after = residentBytesOf(child.pid!);
      expect(peak).toBeLessThan(1.5e9);
      expect(after).toBeLessThan(700e6);
      expect((await upload(url, 'report-2.md', `${honest}Costs fell to 3 million.\n`)).status).toBe(200);
    },
  );
});
