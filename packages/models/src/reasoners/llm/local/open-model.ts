import { loadavg } from 'node:os';
import { AgonError } from '@agonhq/engine/agon-error';
import type { LocalSettings } from '../providers/settings.ts';
import {
  loadLlamaLibrary,
  type ChatWrapper,
  type Completion,
  type Grammar,
  type Llama,
  type LlamaLibrary,
  type LlamaModel,
  type TokenSequence,
  type Token,
} from './llama.ts';

type Environment = Record<string, string | undefined>;

/** A place in the model's context: one answer at a time, and its tokens stay for the next prompt that begins alike. */
export interface ModelPlace {
  sequence: TokenSequence;
  completion: Completion;
}

/** A language model in memory, for all seats of all instances in this process. */
export interface LocalModel {
  contextTokens: number;
  threads: number;
  /** `cuda`, `vulkan`, `metal`, or null on processors alone. */
  gpu: string | null;
  description: string;
  llama: LlamaModel;
  chat: ChatWrapper;
  compileGrammar(text: string): Promise<Grammar>;
  /** Waits for a place; of several that are free, the one whose tokens have most in common with the prompt. */
  usePlace<Result>(
    tokens: readonly Token[],
    signal: AbortSignal | undefined,
    work: (place: ModelPlace) => Promise<Result>,
  ): Promise<Result>;
}

interface Held {
  users: number;
  opening: Promise<{ model: LocalModel; dispose(): Promise<void> }>;
}

const held = new Map<string, Held>();

/** Loads a model, or shares the one that is there. It is unloaded when everybody who holds it has let go. */
export async function holdModel(
  file: string,
  settings: LocalSettings,
  environment: Environment,
): Promise<{ model: LocalModel; letGo(): Promise<void> }> {
  const key = JSON.stringify([file, settings]);
  let entry = held.get(key);
  if (!entry) held.set(key, (entry = { users: 0, opening: openModel(file, settings, environment) }));
  const own = entry;
  own.users += 1;
  let holds = true;
  const letGo = async () => {
    if (!holds) return;
    holds = false;
    own.users -= 1;
    if (own.users > 0) return;
    held.delete(key);
    await (await own.opening).dispose();
  };
  try {
    return { model: (await own.opening).model, letGo };
  } catch (error) {
    if (held.get(key) === own) held.delete(key); // Whoever asks next tries again.
    throw error;
  }
}

async function openModel(file: string, settings: LocalSettings, environment: Environment) {
  const library = await loadLlamaLibrary(environment);
  const llama = await openLlama(library, settings.gpu);
  let loaded: LlamaModel | undefined;
  firstLogged = '';
  try {
    loaded = await llama.loadModel({ modelPath: file, ...(llama.gpu === false ? { gpuLayers: 0 } : {}) });
    const contextSize = Math.min(loaded.trainContextSize, settings.contextTokens);
    const threads = settings.threads ?? countFreeCores(llama.cpuMathCores);
    const context = await loaded.createContext({
      contextSize,
      sequences: settings.sequences,
      threads,
      // Between batches others get a turn: on processors alone a long one takes minutes.
      batchSize: Math.min(llama.gpu === false ? 128 : 512, contextSize),
    });
    const places = Array.from({ length: settings.sequences }, () => {
      const sequence = context.getSequence();
      return { sequence, completion: new library.LlamaCompletion({ contextSequence: sequence }) };
    });
    const model: LocalModel = {
      contextTokens: contextSize,
      threads,
      gpu: llama.gpu === false || loaded.gpuLayers === 0 ? null : llama.gpu,
      description: loaded.typeDescription,
      llama: loaded,
      chat: library.resolveChatWrapper(loaded),
      compileGrammar: createGrammarMemory(llama),
      usePlace: createQueue(places),
    };
    return { model, dispose: () => loaded!.dispose() };
  } catch (cause) {
    await loaded?.dispose();
    throw new AgonError(
      'broken-model',
      `${file} could not be loaded: ${firstLogged || (cause as Error).message}`,
      'It may be damaged, of an architecture that the installed node-llama-cpp does not know, or too large for the ' +
        'memory: try a smaller local.contextTokens, or local.gpu: off.',
      { cause },
    );
  }
}

let firstLogged = '';

/** One for all models of the process: finding the right binary takes a second. */
const opened = new Map<string, Promise<Llama>>();

function openLlama(library: LlamaLibrary, gpu: LocalSettings['gpu']): Promise<Llama> {
  const known = opened.get(gpu);
  if (known) return known;
  const opening = library
    .getLlama({
      build: 'never',
      skipDownload: true,
      gpu: gpu === 'off' ? false : 'auto',
      logLevel: 'error',
      // Not to the terminal, into the middle of a user's output: the first is the reason where something fails.
      logger: (_, message) => void (firstLogged ||= message.replace(/^\w+: (?:error loading model: )?/, '').trim()),
      progressLogs: false,
    })
    .catch((cause: unknown) => {
      opened.delete(gpu);
      throw new AgonError(
        'no-llama',
        `node-llama-cpp has no binary for ${process.platform} ${process.arch}: ${(cause as Error).message}`,
        'Install it with its optional dependencies, or serve the model with ollama.',
        { cause },
      );
    });
  opened.set(gpu, opening);
  return opening;
}

/**
 * llama.cpp's threads wait for each other by spinning: one that finds no core holds up all of them. On two cores under
 * load two threads wrote half a token a second, and one wrote five.
 */
function countFreeCores(cores: number): number {
  return Math.max(1, cores - Math.floor(loadavg()[0]!));
}

/** Roles are few, and a grammar takes a while to compile. */
function createGrammarMemory(llama: Llama): LocalModel['compileGrammar'] {
  const known = new Map<string, Promise<Grammar>>();
  return (text) => {
    let grammar = known.get(text);
    if (!grammar) {
      if (known.size >= 64) known.clear();
      known.set(text, (grammar = llama.createGrammar({ grammar: text })));
    }
    return grammar;
  };
}

function createQueue(places: readonly ModelPlace[]): LocalModel['usePlace'] {
  const free = new Set(places);
  const waiting = new Set<() => void>();
  return async (tokens, signal, work) => {
    signal?.throwIfAborted();
    while (free.size === 0) await waitForTurn(waiting, signal);
    const place = pickNearest([...free], tokens);
    free.delete(place);
    const working = work(place).finally(() => {
      free.add(place);
      const [next] = waiting;
      next?.();
    });
    return orAborted(working, signal);
  };
}

/** Reading a prompt cannot be interrupted: whoever gives up goes at once, and the place is free afterwards. */
function orAborted<Result>(working: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return working;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    void working.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function waitForTurn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(called);
      reject(signal!.reason as Error);
    };
    const called = () => {
      waiting.delete(called);
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    waiting.add(called);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

function pickNearest(places: readonly ModelPlace[], tokens: readonly Token[]): ModelPlace {
  const shared = places.map(({ sequence }) => sequence.compareContextTokens([...tokens]).firstDifferentIndex);
  return places[shared.indexOf(Math.max(...shared))]!;
}
