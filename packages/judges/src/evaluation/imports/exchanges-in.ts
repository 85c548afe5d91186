import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AgonError, reviveError, type StoredError } from '@agonhq/engine/agon-error';
import { readExchange, type Exchange } from '../exchange.ts';
import { openLines } from '@agonhq/engine/items';
import { exchangeOfSample, samplesOfLog, samplesOfZip } from './inspect-log.ts';
import { exchangeOfResult, resultsOfPromptfoo } from './promptfoo.ts';

/** A line with an exchange, as it should be. */
export const exchangeExample = '{"id":"1","prompt":"…","response":"…"}';

/**
 * What a file that does not hold lines holds, unread: a list of exchanges, promptfoo's results, or a log of Inspect
 * (.json or .eval), with an AgonError in the place of what cannot be read. The samples of an .eval file are streamed;
 * other documents are read whole.
 */
export async function* valuesIn(file: string): AsyncGenerator<unknown, void, void> {
  if ((await shapeOf(file)) === 'zip') return yield* samplesOfZip(file);
  yield* itemsOfDocument(await readDocument(file), file);
}

/** Whether a file is read line by line: then its lines are its items. */
export async function holdsLines(file: string): Promise<boolean> {
  return (await shapeOf(file)) === 'lines';
}

async function shapeOf(file: string): Promise<'zip' | 'document' | 'lines'> {
  if (file === '-') return 'lines';
  const beginning = await beginningOf(file);
  if (beginning.startsWith('PK\u0003\u0004') || beginning.startsWith('PK\u0005\u0006')) return 'zip';
  // By its name, whatever its first line holds: one that is broken must not keep the others from being judged.
  if (/\.(jsonl|ndjson)$/i.test(file)) return 'lines';
  const text = beginning.replace(byteOrderMark, '').trimStart();
  const [first = ''] = text.split('\n', 1);
  // The first line of a document that is laid out for people is no object of its own; one that is not tells by what
  // it holds.
  if (/^[[{]\s*$/.test(first) || first.startsWith('[') || holdsMany(text)) return 'document';
  return /\.json$/i.test(file) && !isObject(first) ? 'document' : 'lines';
}

/** Whether a text begins with an object that holds results or samples and is no exchange of its own. */
function holdsMany(text: string): boolean {
  const names = namesAtTop(text);
  return (names.has('results') || names.has('samples')) && !names.has('response') && !names.has('messages');
}

/** The names in the first object of a text, of which only the beginning may be known. */
function namesAtTop(text: string): Set<string> {
  const names = new Set<string>();
  let depth = 0;
  for (const [token, name, isName] of text.matchAll(/"([^"\\]*(?:\\(?:.|$)[^"\\]*)*)(?:$|"\s*(:)?)|[[{\]}]/gs)) {
    if (name !== undefined) {
      if (depth === 1 && isName) names.add(name);
      continue;
    }
    depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) break;
  }
  return names;
}

const byteOrderMark = Buffer.from('\uFEFF').toString('latin1');

async function beginningOf(file: string): Promise<string> {
  (await openLines(file)).destroy(); // Says why when it cannot be read.
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(64 * 1024);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Whether a line is an item of its own, as in JSON Lines. */
function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function readDocument(file: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    const tooLong =
      (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG' ||
      (error as NodeJS.ErrnoException).code === 'ERR_FS_FILE_TOO_LARGE';
    if (tooLong)
      throw new AgonError(
        'file-too-large',
        `${basename(file)} is too large to be read as one document.`,
        'Export it as lines (promptfoo: -o results.jsonl; Inspect: --log-format eval).',
        { cause: error },
      );
    throw new AgonError(
      'not-exchanges',
      `${basename(file)} is not JSON: ${(error as Error).message}.`,
      'Pass results of promptfoo, a log of Inspect, or lines of JSON in a file named .jsonl.',
      { cause: error },
    );
  }
}

function itemsOfDocument(document: unknown, file: string): unknown[] {
  const items = Array.isArray(document)
    ? document
    : (samplesOfLog(document) ?? resultsOfPromptfoo(document) ?? oneExchange(document));
  if (items) return items;
  throw new AgonError(
    'not-exchanges',
    `${basename(file)} holds no exchanges: neither a list of them, nor results of promptfoo, nor a log of Inspect.`,
    'Pass JSONL with prompts and responses, results of promptfoo, or a log of Inspect.',
  );
}

function oneExchange(document: unknown): unknown[] | null {
  return typeof document === 'object' && document !== null && ('response' in document || 'messages' in document)
    ? [document]
    : null;
}

/** The exchange in one value of any of the forms. */
export function exchangeIn(value: unknown): Exchange {
  const record = value as {
    line?: unknown;
    key?: unknown;
    result?: unknown;
    error?: StoredError;
  } | null;
  const ofRun = typeof record?.line === 'number' && typeof record.key === 'string';
  if (ofRun && record.error) throw reviveError(record.error);
  const given = ofRun ? record.result : value;
  return readExchange(exchangeOfSample(given) ?? exchangeOfResult(given) ?? given);
}
