import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
}

const root = path.join(import.meta.dirname, '..');

test.each(['package-lock.json', 'docs/site/package-lock.json'])(
  '%s has what every platform needs, and names no registry',
  (file) => {
    const { packages } = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Lock;
    const lacking = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
      ),
    );
    expect(lacking).toEqual([]);
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved?.includes('://'))).toEqual([]);
  },
);
