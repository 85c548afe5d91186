import nodeModule from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { agonHome } from '@agonhq/engine/agon-home';
import { AgonError } from '@agonhq/engine/agon-error';

/*
 * What Agon uses of node-llama-cpp. It is an optional peer dependency that is not installed here, so that its types are
 * written down: nothing but this file knows the package.
 */

export type Token = number;

interface Tokenizer {
  (text: string, specialTokens?: boolean): Token[];
}

export interface TokenSequence {
  tokenMeter: { usedOutputTokens: number };
  compareContextTokens(tokens: Token[]): { firstDifferentIndex: number };
}

interface Context {
  contextSize: number;
  currentThreads: number;
  getSequence(): TokenSequence;
}

export interface LlamaModel {
  /** The context that it was trained with. */
  trainContextSize: number;
  /** `llama 1B IQ2_XXS - 2.0625 bpw`. */
  typeDescription: string;
  size: number;
  gpuLayers: number;
  tokenizer: Tokenizer;
  tokens: { bos: Token | null; shouldPrependBosToken: boolean };
  detokenize(tokens: readonly Token[], specialTokens?: boolean): string;
  createContext(options: {
    contextSize: number;
    sequences: number;
    threads: number;
    batchSize: number;
  }): Promise<Context>;
  dispose(): Promise<void>;
}

export interface Grammar {
  readonly grammar: string;
}

export interface Llama {
  /** `false` where there is none: `cuda`, `vulkan`, `metal`. */
  gpu: string | false;
  /** Cores that are worth a thread. */
  cpuMathCores: number;
  loadModel(options: { modelPath: string; gpuLayers?: number }): Promise<LlamaModel>;
  createGrammar(options: { grammar: string }): Promise<Grammar>;
}

interface ContextText {
  tokenize(tokenizer: Tokenizer): Token[];
}

export type ChatHistory = ({ type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] })[];

/** How a model wants a conversation written: its chat template. */
export interface ChatWrapper {
  wrapperName: string;
  generateContextState(options: { chatHistory: ChatHistory }): {
    contextText: ContextText;
    stopGenerationTriggers: unknown[];
  };
}

export interface Completion {
  generateCompletionWithMeta(
    tokens: Token[],
    options: {
      grammar?: Grammar;
      maxTokens: number;
      temperature: number;
      seed: number;
      signal?: AbortSignal;
      customStopTriggers?: unknown[];
      disableContextShift: true;
      contextShiftSize: number;
      onTextChunk?(text: string): void;
    },
  ): Promise<{ response: string; metadata: { stopReason: string } }>;
  dispose(): void;
}

export interface LlamaLibrary {
  getLlama(options: {
    /** Prebuilt binaries only: nothing is compiled or downloaded. */
    build: 'never';
    skipDownload: true;
    gpu: 'auto' | false;
    logLevel: 'error';
    logger(level: string, message: string): void;
    progressLogs: false;
  }): Promise<Llama>;
  resolveChatWrapper(model: LlamaModel): ChatWrapper;
  LlamaCompletion: new (options: { contextSequence: TokenSequence }) => Completion;
}

type Environment = Record<string, string | undefined>;

const name = 'node-llama-cpp';

/** Beside Agon or in the project that uses it, in the working folder's project, or in AGON_HOME. */
export async function loadLlamaLibrary(environment: Environment): Promise<LlamaLibrary> {
  const manifest = assertLlamaInstalled(environment);
  return (await import(pathToFileURL(path.join(path.dirname(manifest), 'dist/index.js')).href)) as LlamaLibrary;
}

/** Where its package.json lies, or an error that says how to install it. */
export function assertLlamaInstalled(environment: Environment): string {
  const folders = [import.meta.url, pathToFileURL(`${process.cwd()}/`), pathToFileURL(`${agonHome(environment)}/`)];
  for (const folder of folders) {
    const manifest = findManifest(folder);
    if (manifest !== undefined) return manifest;
  }
  throw new AgonError('no-llama', `Local models need ${name}, which is not installed.`, {
    library: `npm install ${name}`,
    cli: `npm install ${name}, or for every project: npm install --prefix ${agonHome(environment)} ${name}`,
  });
}

function findManifest(base: string | URL): string | undefined {
  try {
    return nodeModule.findPackageJSON(name, base);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
