import { hash, randomBytes } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import { writeBoolean, writeInteger, writeNull, writeObjectId, writeOctets, writeSequence } from './der.ts';
import { verifyTimeStamp } from './verify.ts';

const longestMs = 20_000;
/** Real ones have a few kilobytes. */
const mostBytes = 200_000;

/**
 * Asks an authority (RFC 3161) to confirm that these bytes exist now. What it is sent is their hash. Answers the whole
 * response in DER, as `openssl ts -verify -in` reads it, checked.
 */
export async function requestTimeStamp(authority: string, stamped: Uint8Array): Promise<Uint8Array> {
  const nonce = randomBytes(16);
  const response = await ask(authority, writeRequest(stamped, nonce));
  try {
    verifyTimeStamp(response, stamped, nonce);
    return response;
  } catch (error) {
    throw failed(authority, `its answer is not accepted: ${(error as Error).message}`, error);
  }
}

export function writeRequest(stamped: Uint8Array, nonce: Uint8Array): Uint8Array {
  const sha256 = writeSequence(writeObjectId('2.16.840.1.101.3.4.2.1'), writeNull());
  return writeSequence(
    writeInteger(Uint8Array.of(1)),
    writeSequence(sha256, writeOctets(hash('sha256', stamped, 'buffer'))),
    writeInteger(nonce),
    // The certificate is to come along: it checks the answer for as long as somebody keeps it.
    writeBoolean(true),
  );
}

async function ask(authority: string, request: Uint8Array): Promise<Uint8Array> {
  let answer: Response;
  let body: Uint8Array;
  try {
    answer = await fetch(authority, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: Buffer.from(request),
      signal: AbortSignal.timeout(longestMs),
    });
    body = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    const { cause, message } = error as Error;
    throw failed(authority, `it cannot be reached (${(cause as Error | undefined)?.message || message})`, error);
  }
  if (!answer.ok) throw failed(authority, `it answered with status ${answer.status}`);
  if (body.length > mostBytes) throw failed(authority, 'its answer is too long');
  return body;
}

function failed(authority: string, why: string, cause?: unknown): AgonError {
  return new AgonError(
    'no-time-stamp',
    `The time stamping authority ${new URL(authority).host} gave no time stamp: ${why}.`,
    'The checkpoint stands without one; the next time asks again.',
    { cause },
  );
}
