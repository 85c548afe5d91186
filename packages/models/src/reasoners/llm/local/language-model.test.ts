import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { resolveSettings } from '../providers/settings.ts';
import { findModelFile, listLocalModels, measureLocalModel, openLocalModel } from './index.ts';
import type { ChatHistory, Completion, LlamaLibrary, TokenSequence } from './llama.ts';
import { holdModel } from './open-model.ts';

/*
 * What stands around llama.cpp: a library in its place whose every letter is a token, and which says what a test has it
 * say. That llama.cpp itself answers so is for local-models.long.test.ts.
 */

type Asked = Parameters<Completion['generateCompletionWithMeta']>[1] & { prompt: string };

interface Speaker {
  say(asked: Asked): { response: string; stopReason?: string } | Promise<never>;
  asked: Asked[];
  log: string[];
  bos: number | null;
  fail: string | null;
}

let speaker: Speaker;
const key = Symbol.for('agon.test.llama');
const toTokens = (text: string) => Array.from(text, (letter) => letter.codePointAt(0)!);
const toText = (tokens: readonly number[]) => String.fromCodePoint(...tokens);

function makeSequence(): TokenSequence & { held: number[] } {
  return {
    held: [],
    tokenMeter: { usedOutputTokens: 0 },
    compareContextTokens(tokens) {
      const first = tokens.findIndex((token, index) => token !== this.held[index]);
      return { firstDifferentIndex: first === -1 ? tokens.length : first };
    },
  };
}

const library: LlamaLibrary = {
  async getLlama(options) {
    speaker.log.push(`llama ${options.gpu}`);
    return {
      gpu: false,
      cpuMathCores: 4,
      async createGrammar({ grammar }) {
        speaker.log.push('grammar');
        return { grammar };
      },
      async loadModel({ gpuLayers }) {
        speaker.log.push(`load ${gpuLayers}`);
        if (speaker.fail) {
          options.logger('error', speaker.fail);
          throw new Error('it failed');
        }
        return {
          trainContextSize: 2_000,
          typeDescription: 'letters',
          size: 1,
          gpuLayers: 0,
          tokenizer: toTokens,
          tokens: { bos: speaker.bos, shouldPrependBosToken: speaker.bos !== null },
          detokenize: toText,
          async createContext({ contextSize, sequences, threads, batchSize }) {
            speaker.log.push(`context ${contextSize} ${sequences} ${threads} ${batchSize}`);
            return { contextSize, currentThreads: threads, getSequence: makeSequence };
          },
          async dispose() {
            speaker.log.push('dispose');
          },
        };
      },
    };
  },
  resolveChatWrapper: () => ({
    wrapperName: 'letters',
    generateContextState: ({ chatHistory }: { chatHistory: ChatHistory }) => ({
      contextText: {
        tokenize: (tokenizer) => {
          const shown = chatHistory.map(
            (one) => `<${one.type[0]}>${one.type === 'model' ? one.response.join('') : one.text}`,
          );
          return [...(speaker.bos === null ? [] : [speaker.bos]), ...tokenizer(shown.join(''))];
        },
      },
      stopGenerationTriggers: ['<u>'],
    }),
  }),
  LlamaCompletion: class {
    readonly sequence: ReturnType<typeof makeSequence>;
    constructor({ contextSequence }: { contextSequence: TokenSequence }) {
      this.sequence = contextSequence as ReturnType<typeof makeSequence>;
    }
    async generateCompletionWithMeta(tokens: number[], options: Omit<Asked, 'prompt'>) {
      options.signal?.throwIfAborted();
      const asked = { ...options, prompt: toText(tokens) };
      speaker.asked.push(asked);
      const { response, stopReason = 'eogToken' } = await speaker.say(asked);
      this.sequence.held = [...tokens, ...toTokens(response)];
      this.sequence.tokenMeter.usedOutputTokens += response.length;
      options.onTextChunk?.(response);
      return { response, metadata: { stopReason } };
    }
    dispose() {}
  },
};
(globalThis as Record<symbol, unknown>)[key] = library;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function makeHome(): Promise<Record<string, string>> {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-letters-'));
  const folder = path.join(home, 'node_modules', 'node-llama-cpp');
  await mkdir(path.join(folder, 'dist'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"name":"node-llama-cpp","version":"0.0.0","type":"module"}');
  const names = ['getLlama', 'resolveChatWrapper', 'LlamaCompletion'];
  await writeFile(
    path.join(folder, 'dist/index.js'),
    names.map((name) => `export const ${name} = globalThis[Symbol.for('agon.test.llama')].${name};`).join('\n'),
  );
  await mkdir(path.join(home, 'language-models'));
  await writeFile(path.join(home, 'language-models', 'tiny.gguf'), `GGUF of ${home}`);
  return { AGON_HOME: home };
}

const localOf = (local: object = {}) => resolveSettings({ local: { threads: 1, contextTokens: 500, ...local } }).local;

async function open(script: Partial<Speaker> = {}, local: object = {}) {
  speaker = { say: () => ({ response: 'Hi.' }), asked: [], log: [], bos: null, fail: null, ...script };
  const environment = await makeHome();
  const opened = openLocalModel('tiny', localOf(local), environment);
  closers.push(() => opened.close());
  return { ...opened, environment };
}

type Prompt = Parameters<Awaited<ReturnType<typeof open>>['model']['doGenerate']>[0]['prompt'];
const user = (...texts: string[]): Prompt[number] => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const prompt: Prompt = [{ role: 'system', content: 'Rules.' }, user('Case.', 'Said.', 'Task.')];

describe('an answer of a model in this process', () => {
  test('is what it says to the conversation in its own template, cold and the same every time', async () => {
    const { model } = await open();
    const { content, finishReason, usage, warnings } = await model.doGenerate({ prompt, maxOutputTokens: 40 });
    expect(speaker.asked).toMatchObject([
      {
        prompt: '<s>Rules.<u>Case.\n\nSaid.\n\nTask.<m>',
        maxTokens: 40,
        temperature: 0,
        seed: 1,
        customStopTriggers: ['<u>'],
        disableContextShift: true,
      },
    ]);
    expect(content).toEqual([{ type: 'text', text: 'Hi.' }]);
    expect(finishReason).toEqual({ unified: 'stop', raw: 'eogToken' });
    expect(usage).toMatchObject({
      inputTokens: { total: 34, noCache: 34, cacheRead: 0 },
      outputTokens: { total: 3 },
    });
    expect(warnings).toEqual([]);
  });

  test('is as warm as it is asked for, and long as the settings, the question and a quarter of the context allow', async () => {
    const { model } = await open({}, { maxOutputTokens: 100 });
    await model.doGenerate({ prompt, temperature: 0.7, seed: 9 });
    await model.doGenerate({ prompt, maxOutputTokens: 7 });
    expect(speaker.asked.map(({ maxTokens, temperature, seed }) => [maxTokens, temperature, seed])).toEqual([
      [100, 0.7, 9],
      [7, 0, 1],
    ]);
    const { model: other } = await open({}, { maxOutputTokens: 1_000 });
    await other.doGenerate({ prompt });
    expect(speaker.asked[0]!.maxTokens).toBe(125);
  });

  test('that reaches its limit was cut off', async () => {
    const { model } = await open({ say: () => ({ response: 'and', stopReason: 'maxTokens' }) });
    expect((await model.doGenerate({ prompt })).finishReason).toEqual({ unified: 'length', raw: 'maxTokens' });
  });

  test('tells what of its prompt was in memory, and counts its last token as read anew', async () => {
    const { model } = await open();
    await model.doGenerate({ prompt });
    const { usage } = await model.doGenerate({ prompt });
    expect(usage.inputTokens).toMatchObject({ total: 34, noCache: 1, cacheRead: 33 });
    const next = await model.doGenerate({ prompt: [{ role: 'system', content: 'Rules.' }, user('Else.')] });
    expect(next.usage.inputTokens).toMatchObject({ cacheRead: 12 });
  });

  test('begins with one mark of its beginning, where the model wants one', async () => {
    const { model } = await open({ bos: 1 });
    const { usage } = await model.doGenerate({ prompt });
    expect(speaker.asked[0]!.prompt).toBe('<s>Rules.<u>Case.\n\nSaid.\n\nTask.<m>');
    expect(usage.inputTokens.total).toBe(35);
  });

  test('to a correction has what was said before in the model’s own name', async () => {
    const { model } = await open();
    const assistant = { role: 'assistant' as const, content: [{ type: 'text' as const, text: '{}' }] };
    await model.doGenerate({ prompt: [user('Task.'), assistant, user('Again.')] });
    expect(speaker.asked[0]!.prompt).toBe('<u>Task.<m>{}<u>Again.<m>');
  });

  test('that fails is told as a failure of the model', async () => {
    const { model } = await open({ say: () => Promise.reject(new Error('out of memory')) });
    await expect(model.doGenerate({ prompt })).rejects.toMatchObject({
      name: 'AI_LocalModelError',
      message: 'out of memory',
    });
  });
});

describe('an answer in form', () => {
  const schema = z.toJSONSchema(z.object({ statement: z.string() })) as never;
  const format = { responseFormat: { type: 'json' as const, schema } };

  test('follows a grammar to its end, which is compiled once', async () => {
    const { model } = await open({ say: () => ({ response: '{"statement": "x"}' }) });
    await model.doGenerate({ prompt, ...format, maxOutputTokens: 50 });
    await model.doGenerate({ prompt, ...format, maxOutputTokens: 50 });
    const [first] = speaker.asked;
    expect(first!.grammar!.grammar).toContain('statement');
    expect(first!.customStopTriggers).toBeUndefined();
    expect(first!.maxTokens).toBe(500 - 34 - 2);
    expect(speaker.log.filter((line) => line === 'grammar')).toHaveLength(1);
  });

  test('follows the schema that has limits, where one is handed on', async () => {
    const { model } = await open();
    const limited = z.toJSONSchema(z.object({ verdict: z.boolean() })) as never;
    await model.doGenerate({ prompt, ...format, providerOptions: { local: { schema: limited } } });
    expect(speaker.asked[0]!.grammar!.grammar).toContain('verdict');
  });

  test('that does not come to its end is written again, shorter, and both are paid for', async () => {
    const answers = [{ response: '{"statement": "xxxx', stopReason: 'maxTokens' }, { response: '{"statement": "x"}' }];
    const { model } = await open({ say: () => answers.shift()! });
    const { content, usage, finishReason } = await model.doGenerate({ prompt, ...format });
    expect(content).toEqual([{ type: 'text', text: '{"statement": "x"}' }]);
    expect(usage.outputTokens.total).toBe(19 + 18);
    expect(finishReason.unified).toBe('stop');
    const [loose, tight] = speaker.asked.map(({ grammar }) => Number(/\{0,(\d+)\}/.exec(grammar!.grammar)![1]));
    // Within seven tenths of the tokens wanted; then so that it ends even with four tokens to a letter.
    expect(loose).toBeLessThan(125 * 0.7);
    expect(tight! * 4).toBeLessThan(speaker.asked[1]!.maxTokens);
  });

  test('is heard while it is written, and that it begins again', async () => {
    const answers = [{ response: 'long', stopReason: 'maxTokens' }, { response: 'short' }];
    const { model } = await open({ say: () => answers.shift()! });
    const { stream } = await model.doStream({ prompt, ...format });
    const parts: string[] = [];
    for await (const part of stream) {
      const again = part.type === 'text-start' && part.providerMetadata?.['local']?.['again'] === true;
      parts.push(part.type === 'text-delta' ? `+${part.delta}` : `${part.type}${again ? ' again' : ''}`);
    }
    expect(parts).toEqual([
      'stream-start',
      'text-start',
      '+long',
      'text-end',
      'text-start again',
      '+short',
      'text-end',
      'finish',
    ]);
  });

  test('that fails while it is heard ends in an error', async () => {
    const { model } = await open({ say: () => Promise.reject(new Error('broken')) });
    const { stream } = await model.doStream({ prompt });
    const types: string[] = [];
    for await (const part of stream) types.push(part.type);
    expect(types).toEqual(['stream-start', 'text-start', 'error']);
  });
});

describe('a prompt that is longer than the context', () => {
  const long = (letters: number) => 'word '.repeat(letters / 5);

  test('is cut to it, rules first, and the answer says so', async () => {
    const { model } = await open({}, { contextTokens: 400 });
    const { warnings } = await model.doGenerate({
      prompt: [{ role: 'system', content: long(600) }, user('Case.', 'Said.', 'Task.')],
    });
    const [{ prompt: sent, maxTokens }] = speaker.asked as [Asked];
    expect(sent.length).toBeLessThanOrEqual(400 - maxTokens);
    expect(sent).toContain('Case.\n\nSaid.\n\nTask.');
    expect(warnings).toMatchObject([
      {
        type: 'compatibility',
        feature: 'context',
        details: expect.stringMatching(
          /^the prompt was cut to a context of 400 tokens: \d+ of 600 tokens of the rules/,
        ),
      },
    ]);
  });

  test('whose task alone is longer is refused', async () => {
    const { model } = await open({}, { contextTokens: 400 });
    await expect(model.doGenerate({ prompt: [user(long(600))] })).rejects.toMatchObject({ code: 'context-too-small' });
    expect(speaker.asked).toEqual([]);
  });
});

describe('a model in memory', () => {
  test('is loaded when it is first asked, as the settings say, and is free when it is closed', async () => {
    const opened = await open({}, { contextTokens: 9_000, sequences: 2, threads: 3, gpu: 'off' });
    expect(speaker.log).toEqual([]);
    await opened.model.doGenerate({ prompt });
    await opened.model.doGenerate({ prompt });
    expect(speaker.log).toEqual(expect.arrayContaining(['load 0', 'context 2000 2 3 128']));
    expect(speaker.log.filter((line) => line.startsWith('load'))).toHaveLength(1);
    await opened.close();
    expect(speaker.log.at(-1)).toBe('dispose');
    await opened.model.doGenerate({ prompt });
    expect(speaker.log.filter((line) => line.startsWith('load'))).toHaveLength(2);
    expect(opened).toMatchObject({ concurrency: 2, timeoutMs: 3_600_000 });
  });

  test('is shared by all who hold it, until the last lets go', async () => {
    const { environment } = await open();
    const { path: file } = findModelFile('tiny', environment);
    const [one, other] = await Promise.all([1, 2].map(() => holdModel(file, localOf(), environment)));
    expect(one!.model).toBe(other!.model);
    const third = await holdModel(file, localOf({ contextTokens: 300 }), environment);
    expect(third.model).not.toBe(one!.model);
    await third.letGo();
    await one!.letGo();
    await one!.letGo();
    expect(speaker.log.filter((line) => line === 'dispose')).toHaveLength(1);
    await other!.letGo();
    expect(speaker.log.filter((line) => line === 'dispose')).toHaveLength(2);
  });

  test('that cannot be loaded says what llama.cpp said of it, and is tried again', async () => {
    const { model } = await open({ fail: 'llama_model_load: error loading model: unknown architecture' });
    const failing = {
      code: 'broken-model',
      message: expect.stringMatching(/could not be loaded: unknown architecture$/),
    };
    await expect(model.doGenerate({ prompt })).rejects.toMatchObject(failing);
    speaker.fail = null;
    expect((await model.doGenerate({ prompt })).content).toHaveLength(1);
  });

  test('without the library that runs it says how to install it', async () => {
    const { environment } = await open();
    const bare = await mkdtemp(path.join(tmpdir(), 'agon-bare-'));
    const { path: file } = findModelFile('tiny', environment);
    await expect(holdModel(file, localOf(), { AGON_HOME: bare })).rejects.toMatchObject({ code: 'no-llama' });
  });

  test('answers so many at once, each where most of its prompt is known; the next wait, and may go away', async () => {
    const free: (() => void)[] = [];
    const { model } = await open(
      { say: () => new Promise<never>((resolve) => free.push(() => resolve({ response: 'Hi.' } as never))) },
      { sequences: 2 },
    );
    const ask = (text: string, abortSignal?: AbortSignal) => model.doGenerate({ prompt: [user(text)], abortSignal });
    const gone = new AbortController();
    const answers = [ask('aaaa'), ask('bbbb')];
    await expect.poll(() => free.length).toBe(2);
    const [third, fourth] = [ask('cccc', gone.signal), ask('bbbbb')];
    gone.abort(new Error('gone'));
    await expect(third).rejects.toThrow('gone');
    expect(speaker.asked).toHaveLength(2);
    for (const finish of free.splice(0)) finish();
    await Promise.all(answers);
    await expect.poll(() => free.length).toBe(1);
    free[0]!();
    // Where `bbbb` was read, and not where `aaaa` was.
    expect((await fourth).usage.inputTokens.cacheRead).toBe('<u>bbbb'.length);
  });

  test('whoever gives up while it reads goes at once, and the place is free afterwards', async () => {
    let finish = () => {};
    const { model } = await open({
      say: () => new Promise<never>((resolve) => (finish = () => resolve({ response: 'Hi.' } as never))),
    });
    const gone = new AbortController();
    const first = model.doGenerate({ prompt, abortSignal: gone.signal });
    await expect.poll(() => speaker.asked.length).toBe(1);
    gone.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    const second = model.doGenerate({ prompt });
    finish();
    await expect.poll(() => speaker.asked.length).toBe(2);
    finish();
    expect((await second).content).toHaveLength(1);
  });

  test('is measured on a prompt of its own: how fast it reads and writes', async () => {
    const { environment } = await open({ say: ({ maxTokens }) => ({ response: 'x'.repeat(maxTokens) }) });
    const measured = await measureLocalModel('tiny', localOf(), environment);
    expect(measured).toMatchObject({ description: 'letters', contextTokens: 500, threads: 1, gpu: null });
    expect(speaker.asked.map(({ prompt: { length }, maxTokens }) => [length, maxTokens])).toEqual([
      [96, 1],
      [96, 16],
    ]);
    expect(measured.writes / measured.reads).toBeGreaterThan(0);
    expect(speaker.log.at(-1)).toBe('dispose');
  });
});

describe('the file of a model', () => {
  test('is found by its name or its path, with the hash of all of it, as long as it stays', async () => {
    const { environment } = await open();
    const { path: file, digest, bytes } = findModelFile('tiny', environment);
    expect(bytes).toBe(`GGUF of ${environment['AGON_HOME']}`.length);
    expect(findModelFile(file, environment)).toEqual({ path: file, digest, bytes });
    expect(listLocalModels(environment)).toEqual(['tiny']);
    await writeFile(file, `GGUF of others ${'x'.repeat(200)}`);
    expect(findModelFile('tiny', environment).digest).not.toBe(digest);
    expect(listLocalModels({ AGON_HOME: path.join(tmpdir(), 'agon-nowhere') })).toEqual([]);
    expect(listLocalModels({ ...environment, AGON_LOCAL_MODELS: tmpdir() })).not.toContain('tiny');
  });

  test('that is not there, is no GGUF or may not be named is refused', async () => {
    const { environment } = await open();
    const codeOf = (name: string, more: object = {}) => {
      try {
        return findModelFile(name, { ...environment, ...more }).bytes > 0;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const file = path.join(environment['AGON_HOME']!, 'other.gguf');
    await writeFile(file, 'no model');
    const known = path.join(environment['AGON_HOME']!, 'language-models', 'tiny.gguf');
    expect([codeOf('none'), codeOf('/none.gguf'), codeOf(file), codeOf(environment['AGON_HOME']!)]).toEqual([
      'unknown-model',
      'unknown-model',
      'broken-model',
      'unknown-model',
    ]);
    expect(codeOf(known, { AGON_LOCAL_FILES: '' })).toBe('unknown-model');
    expect(codeOf(known, { AGON_LOCAL_FILES: `/x.gguf${path.delimiter}${known}` })).toBe(true);
    expect(codeOf('tiny', { AGON_LOCAL_FILES: '' })).toBe(true);
  });

  test('is another model with another context or longer answers', async () => {
    const { environment } = await open();
    const identities = [{}, { contextTokens: 501 }, { maxOutputTokens: 70 }, { sequences: 3 }].map(
      (local) => openLocalModel('tiny', localOf(local), environment).identity,
    );
    expect(new Set(identities).size).toBe(3);
    expect(identities[3]).toBe(identities[0]);
  });
});
