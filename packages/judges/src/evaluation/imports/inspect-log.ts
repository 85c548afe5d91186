import { basename } from 'node:path';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { openZip } from './zip.ts';

/*
 * Logs of the Inspect framework: a JSON document with the samples in it, or a zip file (.eval) with one file a sample.
 */

const part = z.looseObject({ type: z.string() });
const toolCall = z.looseObject({ function: z.string(), arguments: z.unknown() });
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
  tool_calls: z.array(toolCall).nullish(),
});
type LogMessage = z.infer<typeof message>;

const header = z.looseObject({ eval: z.looseObject({ model: z.string().nullish() }) });

const sample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z.number().nullish(),
  input: z.union([z.string(), z.array(message)]),
  messages: z.array(message).nullish(),
  output: z
    .looseObject({ model: z.string().nullish(), choices: z.array(z.looseObject({ message })).nullish() })
    .nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
  attachments: z.record(z.string(), z.string()).nullish(),
});

/** The samples of a log that was read as one document, each with the log's model; null when it is no such log. */
export function samplesOfLog(document: unknown): unknown[] | null {
  const log = header.extend({ samples: z.array(z.unknown()).nullish() }).safeParse(document);
  if (!log.success) return null;
  return (log.data.samples ?? []).map((value) => ({ sample: value, model: log.data.eval.model ?? null }));
}

/** Reads the samples of a zipped log, one at a time: a sample, or what is wrong with it. */
export async function* samplesOfZip(path: string): AsyncGenerator<unknown, void, void> {
  const zip = await openZip(path);
  try {
    const read = async (name: string) => {
      const entry = zip.entries.findLast((candidate) => candidate.name === name);
      return entry && parse(await zip.read(entry), name);
    };
    const head = header.safeParse(
      (await read('header.json')) ?? (await read('_journal/start.json')) ?? (await read('start.json')),
    );
    if (!head.success)
      throw new AgonError(
        'not-exchanges',
        `${basename(path)} is a zip file, but not a log of Inspect.`,
        'Pass a .eval file, or JSONL with prompts and responses.',
      );
    for (const entry of zip.entries) {
      const [, name, rest] = /^samples\/([^/]+?)(?:\.json|\/(.+))$/.exec(entry.name) ?? [];
      if (name === undefined || (rest !== undefined && rest !== 'sample.json')) continue;
      try {
        if (rest !== undefined) throw inParts(name);
        yield { sample: parse(await zip.read(entry), entry.name), model: head.data.eval.model ?? null };
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        yield error;
      }
    }
  } finally {
    await zip.close();
  }
}

/** A sample as an exchange for `readExchange`, or undefined when the value is none. */
export function exchangeOfSample(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || !('sample' in value) || !('model' in value)) return undefined;
  const read = sample.safeParse(value.sample);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new AgonError(
      'broken-line',
      `The sample is not readable: ${issue!.path.join('.') || 'it'}: ${issue!.message}.`,
      'Write the log anew with a version of Inspect that finished it.',
    );
  }
  const { id, epoch, input, messages, output, error, attachments } = read.data;
  if (error)
    throw new AgonError(
      'failed-result',
      `The sample ${id} ended with an error: ${error.message.slice(0, 200)}`,
      'Run it again in Inspect; the others are judged.',
    );
  const asked: LogMessage[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const answered = output?.choices?.[0]?.message;
  const said = messages?.some(({ role }) => role === 'assistant')
    ? messages
    : [...asked, ...(answered ? [answered] : [])];
  // A conversation with tools may go on after the last answer; what is judged ends with it.
  const conversation = said.slice(0, said.findLastIndex(({ role }) => role === 'assistant') + 1);
  return {
    id: epoch && epoch > 1 ? `${id}_epoch_${epoch}` : String(id),
    ...modelOf(value.model, output?.model),
    messages: (conversation.length > 0 ? conversation : said).map((one) => ({
      role: one.role,
      content: contentOf(one, attachments ?? {}),
    })),
  };
}

/** `openai/gpt-4o`, as Inspect writes it, is `openai:gpt-4o` here. */
function modelOf(named: unknown, answered: string | null | undefined): { model?: string } {
  const name = typeof named === 'string' && !named.startsWith('none') ? named : answered;
  return name ? { model: name.replace('/', ':') } : {};
}

function contentOf({ content, tool_calls: calls }: LogMessage, attachments: Record<string, string>): unknown {
  // What a model thought is no part of its answer.
  const parts = (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])).filter(
    ({ type }) => type !== 'reasoning',
  );
  const blank = !parts.some((one) => 'text' in one && one.text !== '');
  const called = (calls ?? []).map((call) => ({
    type: 'text',
    text: `${blank ? '' : '\n'}[called ${call.function} with ${JSON.stringify(call.arguments ?? {})}]`,
  }));
  return [...parts, ...called].map((one) => {
    const text = 'text' in one && typeof one.text === 'string' ? one.text : null;
    const attached = /^attachment:\/\/(.+)$/.exec(text ?? '')?.[1];
    return attached !== undefined && Object.hasOwn(attachments, attached)
      ? { ...one, text: attachments[attached] }
      : one;
  });
}

function parse(bytes: Buffer, name: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new AgonError('broken-line', `${name} is not JSON: ${(error as Error).message}.`, 'Make the log anew.', {
      cause: error,
    });
  }
}

function inParts(name: string): AgonError {
  return new AgonError(
    'broken-line',
    `The sample ${name} is stored in parts (version 3 of the log), which cannot be read yet.`,
    'Convert the log: inspect log convert --to json.',
  );
}
