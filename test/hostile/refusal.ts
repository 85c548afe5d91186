import assert from 'node:assert/strict';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';

/* What becomes of bad input: one thing or the other, and nothing else. Without a test runner, so that the fuzzer has it. */

const machine = [path.join(import.meta.dirname, '../..'), tmpdir(), homedir(), 'node_modules'];

/** A refusal is a code of the catalogue, one line and a hint, and tells nothing of the machine. */
export function expectRefusal(error: unknown): AgonError {
  if (!AgonError.is(error)) throw new Error(`Not refused, but failed: ${String(error)}`, { cause: error });
  const { code, message, hint } = error;
  assert.match(code, /^[a-z][a-z0-9-]+$/);
  assert.match(message, /\S/);
  assert.match(hint, /\S/);
  assert(message.length < 4_000, `The message is too long: ${message.slice(0, 200)}`);
  assert.doesNotMatch(message, /\p{Cc}|^\s+at |\bat .*\.[jt]s:\d+/u);
  for (const place of machine) assert(!message.includes(place), `The message tells of the machine: ${message}`);
  return error;
}

/** It is read, or refused as above: anything else that is thrown is a failure. */
export async function readOrRefuse(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    return expectRefusal(error).code;
  }
}
