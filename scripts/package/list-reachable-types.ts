import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '..', '..');

/** The declarations that an importer can reach from what package.json exports: tsc writes one for every source file. */
export function listReachableTypes(): ReadonlySet<string> {
  const entries = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.types]));
  const waiting = entries.map((entry) => path.join(root, entry));
  const reached = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, named] of nameByPath(text, file).matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g))
      if (!named!.endsWith('.json')) waiting.push(path.join(path.dirname(file), named!.replace(/\.[jt]s$/, '.d.ts')));
  }
  return reached;
}

/** What declarations import by the names of our packages, which nobody but this repository has: by where it lies. */
export function nameByPath(text: string, file: string): string {
  return text.replaceAll(/(["'])@agonhq\/(\w+)(?:\/([^"']+))?\1/g, (whole, quote: string, name: string, inner = '') => {
    const folder = path.join(root, 'dist', 'types', name, 'src', inner);
    const place = [`${folder}.js`, path.join(folder, 'index.js')].find((one) =>
      existsSync(one.replace(/\.js$/, '.d.ts')),
    );
    if (place === undefined) throw new Error(`${file} names ${whole}, which has no declarations.`);
    const relative = path.relative(path.dirname(file), place);
    return `${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
}
