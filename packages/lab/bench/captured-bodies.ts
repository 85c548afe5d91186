import { readFile } from 'node:fs/promises';
import type { CapturedCall } from './capture.ts';

/**
 * The request bodies of one debate of Agon's, by role and round: what the others send too, so that all pay for the
 * same bytes.
 */
export interface Bodies {
  supporter: object;
  strict: [object, object];
  loose: [object, object];
  arbiter: object;
}

export function bodiesOf(calls: readonly CapturedCall[]): Bodies {
  const body = (role: string, round = 1): object =>
    calls.find((call) => call.role === role && call.round === round)!.body;
  return {
    supporter: body('supporter'),
    strict: [body('strict'), body('strict', 2)],
    loose: [body('loose'), body('loose', 2)],
    arbiter: body('arbiter'),
  };
}

export async function readBodies(file: string): Promise<Bodies> {
  return JSON.parse(await readFile(file, 'utf8')) as Bodies;
}

/** One chat completion with plain fetch; returns the parsed answer. */
export async function ask(url: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return JSON.parse(choices[0].message.content);
}
