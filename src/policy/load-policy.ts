import { createReadStream } from 'node:fs';
import { AgonError } from '../errors.ts';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';

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

const largestBytes = 1_000_000;
const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};

/** Reads a policy file. */
export async function loadPolicy(file: string): Promise<Policy> {
  return parsePolicy(decode(await readBytes(file), file), file);
}

async function readBytes(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    // One byte more than allowed, and never more: a pipe or a device has no size to ask for.
    for await (const chunk of createReadStream(file, { end: largestBytes })) chunks.push(chunk as Buffer);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unreadable(file, reasons[code] ?? message, error);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > largestBytes) throw unreadable(file, 'it is larger than 1 MB');
  return bytes;
}

function decode(bytes: Buffer, file: string): string {
  if (bytes.includes(0)) throw unreadable(file, 'it is binary, not a text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(file, 'it is not text in UTF-8', error);
  }
}

function unreadable(file: string, reason: string, cause?: unknown): AgonError {
  const hint = {
    library: 'Name a YAML file; docs/policy.md describes it.',
    cli: 'Give --policy the path of a YAML file; `agon policy show` prints one to start from.',
  };
  return new AgonError('unreadable-policy', `The policy ${file} cannot be read: ${reason}.`, hint, { cause });
}
