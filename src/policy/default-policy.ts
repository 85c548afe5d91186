import { join } from 'node:path';
import { loadPolicy } from './load-policy.ts';
import { packageFolder } from './package-folder.ts';
import type { Policy } from './policy.ts';

let loaded: Promise<Policy> | undefined;

/** The policy that Agon ships: `policies/default.yaml` of the package, read once. */
export function defaultPolicy(): Promise<Policy> {
  loaded ??= packageFolder(import.meta.dirname).then((folder) => loadPolicy(join(folder, 'policies', 'default.yaml')));
  return loaded;
}
