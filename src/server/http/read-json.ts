import { AgonError } from '../../errors.ts';
import { assertModest } from './modest-json.ts';

/** The JSON of a request, of so many bytes at most. */
export async function readJson(request: Request, mostBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, mostBytes);
  if (bytes.length === 0) throw new AgonError('bad-json', 'The request has no body.', 'Send a JSON object.');
  assertModest(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgonError('bad-json', 'The body is not UTF-8.', 'Send JSON in UTF-8.', { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgonError(
      'bad-json',
      'The body is not JSON.',
      'Send one JSON value, with Content-Type: application/json.',
      { cause: error },
    );
  }
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new AgonError(
      'body-too-large',
      `The body is larger than ${mostBytes.toLocaleString('en')} bytes.`,
      'Send less at once; server.bodyBytes sets the limit.',
    );
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > mostBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (AgonError.is(error)) throw error;
    throw new AgonError('cancelled', 'The body ended before all of it had come.', 'Send it again.', { cause: error });
  }
  return Buffer.concat(chunks, size);
}
