import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readDocument } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import { inspectImage } from '@agonhq/models/senses';

/* A process that reads one file as Agon does, and says what became of it: what it takes is its own. */

const [file = ''] = process.argv.slice(2);
const name = path.basename(file);
const isImage = /\.(?:png|jpe?g|gif|webp|tiff?|svg)$/.test(name);

async function read(): Promise<{ outcome: string; message?: string; hint?: string }> {
  try {
    const bytes = await readFile(file);
    await (isImage ? inspectImage(bytes, name) : readDocument({ name, bytes }, { ocr: false }));
    return { outcome: 'read' };
  } catch (error) {
    if (!AgonError.is(error)) return { outcome: 'thrown', message: String(error) };
    return { outcome: error.code, message: error.message, hint: error.hint };
  }
}

const found = await read();
const { userCPUTime, maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ ...found, seconds: userCPUTime / 1e6, megabytes: Math.round(maxRSS / 1024) }));
