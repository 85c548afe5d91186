import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';
import { loadPolicy } from './load-policy.ts';
import type { Policy } from './policy.ts';

let loaded: Promise<Policy> | undefined;

/** The policy that Agon ships: `policies/default.yaml` of the package, read once. */
export function defaultPolicy(): Promise<Policy> {
  loaded ??= defaultPolicyFile().then(loadPolicy);
  return loaded;
}

/** Where the policy lies that Agon ships. */
export async function defaultPolicyFile(): Promise<string> {
  return join(await packageFolder(import.meta.dirname), 'policies', 'default.yaml');
}
