import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** The declarations that an importer can reach from what package.json exports: tsc writes one for every source file. */
export function listReachableTypes(root: string): ReadonlySet<string> {
  const entries = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.types]));
  const waiting = entries.map((entry) => path.join(root, entry));
  const reached = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, named] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g))
      if (!named!.endsWith('.json')) waiting.push(path.join(path.dirname(file), named!.replace(/\.[jt]s$/, '.d.ts')));
  }
  return reached;
}
