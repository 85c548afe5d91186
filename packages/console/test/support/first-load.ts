import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = path.join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'console');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** The scripts that a browser asks for before the Judge page is there, and what they weigh gzipped. */
export function firstLoad(): { files: string[]; bytes: number } {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    // What a module imports outright is loaded with it; what it imports when it is needed is not.
    for (const [, next] of read(`assets/${file}`).matchAll(/(?:from|import)\s*["`]\.\/([^"`]+\.js)["`]/g)) load(next!);
  };
  for (const [, file] of read('index.html').matchAll(/"\/assets\/([^"]+\.js)"/g)) load(file!);
  const pages = [...loaded].flatMap((file) =>
    [...read(`assets/${file}`).matchAll(/\b(judge-[\w-]+\.js)/g)].map(([, page]) => page!),
  );
  for (const page of pages) load(page);
  if (pages.length === 0) throw new Error('The Judge page is no chunk of its own: what is loaded first is not known.');
  return {
    files: [...loaded],
    bytes: [...loaded].reduce((sum, file) => sum + gzipSync(read(`assets/${file}`)).length, 0),
  };
}
