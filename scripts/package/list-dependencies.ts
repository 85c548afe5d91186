import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
}

const manifests = globSync('packages/*/package.json', { cwd: root }).map(
  (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Manifest,
);
const own = new Set(manifests.map(({ name }) => name));

/**
 * What the packages of this repository need of others, together: each says it of itself, and they are published as one.
 */
function gather<Member extends 'dependencies' | 'optionalDependencies' | 'peerDependencies' | 'peerDependenciesMeta'>(
  member: Member,
): NonNullable<Manifest[Member]> {
  const entries = manifests.flatMap((manifest) => Object.entries(manifest[member] ?? {}));
  return Object.fromEntries(
    entries.filter(([name]) => !own.has(name)).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ) as NonNullable<Manifest[Member]>;
}

export const publishedDependencies = gather('dependencies');
export const optionalDependencies = gather('optionalDependencies');
export const publishedPeers = {
  peerDependencies: gather('peerDependencies'),
  peerDependenciesMeta: gather('peerDependenciesMeta'),
};
