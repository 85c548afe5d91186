import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPdf } from '@agonhq/documents/ingest/pdf/read-pdf';
import { decimals, table, whole } from './table.ts';
import { scale } from './scale.ts';

/*
 * How fast PDFs are read, as a ratio to bare text extraction over the same pages in the same run, whether every
 * sentence's boxes lie on its page, and how much memory a 300-page document takes. Measured on the filings in
 * AGON_DATASETS/files/financebench, or on the PDFs of a folder: `node packages/lab/bench/documents-ingest.ts [FOLDER] [--json]`.
 */

const goals = { ratio: 2.5, pagesPerSecond: 20, peakRssMb: 1_000 };
const joinedPages = scale(300, 4);
const tools = { readImageText: null };

const [first] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (process.argv.includes('--one')) await readOne(first!);
else await measureAll(first ?? path.join(process.env['AGON_DATASETS'] ?? '', 'files', 'financebench', 'pdfs'));

interface Measured {
  name: string;
  pages: number;
  bareMs: number;
  readMs: number;
  blocks: number;
  tables: number;
  sentences: number;
  /** Sentences without a box, or with one that is not on its page. */
  misplaced: number;
}

async function measureAll(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).toSorted();
  const before = loadavg()[0]!;
  await measure(folder, names[0]!);
  const files: Measured[] = [];
  for (const name of names) files.push(await measure(folder, name));
  const joined = await measureJoined(folder, names);
  const pages = files.reduce((sum, file) => sum + file.pages, 0);
  const readMs = files.reduce((sum, file) => sum + file.readMs, 0);
  const ratio = readMs / files.reduce((sum, file) => sum + file.bareMs, 0);
  const result = {
    load: { before, after: loadavg()[0]! },
    goals,
    pages,
    ratio,
    pagesPerSecond: (pages / readMs) * 1000,
    files,
    joined,
  };
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  console.log(
    table(
      ['file', 'pages', 'bare ms', 'Agon ms', 'ratio', 'pages/s', 'blocks', 'tables', 'sentences', 'misplaced'],
      files.map((file) => [
        file.name,
        whole(file.pages),
        whole(file.bareMs),
        whole(file.readMs),
        decimals(file.readMs / file.bareMs, 2),
        whole((file.pages / file.readMs) * 1000),
        whole(file.blocks),
        whole(file.tables),
        whole(file.sentences),
        whole(file.misplaced),
      ]),
    ),
  );
  console.log(
    `\n${pages} pages: ${decimals(ratio, 2)} times bare extraction (goal ${goals.ratio}), ${whole(result.pagesPerSecond)} ` +
      `pages a second (goal ${goals.pagesPerSecond}).`,
  );
  console.log(
    `${joined.pages} pages joined: ${whole(joined.peakRssMb)} MB (goal ${goals.peakRssMb}), ${decimals(joined.readMs / 1000, 1)} ` +
      `s. Load ${decimals(before, 1)} to ${decimals(result.load.after, 1)}.`,
  );
}

async function measure(folder: string, name: string): Promise<Measured> {
  const bytes = await readFile(path.join(folder, name));
  const bareMs = await timed(() => extractBare(bytes));
  const started = performance.now();
  const document = await readPdf(bytes, name, tools);
  const readMs = performance.now() - started;
  const sentences = document.blocks.flatMap((block) => block.sentences);
  const misplaced = sentences.filter(
    ({ boxes }) =>
      !boxes ||
      boxes.length === 0 ||
      boxes.some((box) => {
        const page = document.pages![box.page - 1];
        return (
          !page ||
          box.x < 0 ||
          box.y < 0 ||
          box.x + box.width > page.width + 1e-6 ||
          box.y + box.height > page.height + 1e-6
        );
      }),
  ).length;
  const tables = document.blocks.filter((block) => block.table).length;
  return {
    name,
    pages: document.pages!.length,
    bareMs,
    readMs,
    blocks: document.blocks.length,
    tables,
    sentences: sentences.length,
    misplaced,
  };
}

async function extractBare(bytes: Uint8Array): Promise<void> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: new Uint8Array(bytes), disableFontFace: true, verbosity: 0 });
  const document = await task.promise;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    await page.getTextContent();
    page.cleanup();
  }
  await task.destroy();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measureJoined(
  folder: string,
  names: readonly string[],
): Promise<{ pages: number; peakRssMb: number; readMs: number }> {
  const { PDFDocument } = await import('pdf-lib');
  const joined = await PDFDocument.create();
  for (const name of names) {
    const bytes = await readFile(path.join(folder, name));
    // pdf-lib copies no page of an encrypted file, not even of one that opens without a password.
    if (bytes.includes('/Encrypt')) continue;
    const source = await PDFDocument.load(bytes);
    const wanted = source.getPageIndices().slice(0, joinedPages - joined.getPageCount());
    for (const page of await joined.copyPages(source, wanted)) joined.addPage(page);
    if (joined.getPageCount() >= joinedPages) break;
  }
  const place = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
  try {
    const file = path.join(place, 'joined.pdf');
    await writeFile(file, await joined.save());
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), file, '--one'], { encoding: 'utf8' });
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout) as { pages: number; peakRssMb: number; readMs: number };
  } finally {
    await rm(place, { recursive: true });
  }
}

async function readOne(file: string): Promise<void> {
  const started = performance.now();
  const document = await readPdf(await readFile(file), path.basename(file), tools);
  console.log(
    JSON.stringify({
      pages: document.pages!.length,
      peakRssMb: process.resourceUsage().maxRSS / 1_024,
      readMs: performance.now() - started,
    }),
  );
}
