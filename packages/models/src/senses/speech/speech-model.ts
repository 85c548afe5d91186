import { availableParallelism } from 'node:os';
import { AgonError } from '@agonhq/engine/agon-error';
import { findPart, hasPart, locateFiles, partDigest, type LocatedFile, type PartId } from '@agonhq/engine/parts';
import { openThread, type Thread } from '../runtime/thread.ts';
import type { HeardTranscript } from './transcribe.ts';

export interface SpeechModelOptions {
  files: Readonly<Record<string, LocatedFile>>;
  threads: number;
}

type Environment = Record<string, string | undefined>;

/** The parts that hear, the better one first. */
export const speechParts = ['whisper', 'whisper-tiny'] as const satisfies readonly PartId[];
export type SpeechPart = (typeof speechParts)[number];

/** The bundler gives the worker's file another name. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './speech-model-worker.ts' : './speech-model-worker.js',
  import.meta.url,
);

const opened = new Map<string, Thread<Float32Array, HeardTranscript>>();

/** Which part hears: the one that is asked for, else the best that is there. Says what is missing. */
export async function chooseSpeechModel(
  wanted: SpeechPart | null,
  environment: Environment,
): Promise<{ id: SpeechPart; digest: string }> {
  for (const id of wanted === null ? speechParts : [wanted])
    if (await hasPart(findPart(id), environment)) return { id, digest: partDigest(findPart(id)) };
  const id = wanted ?? speechParts[0];
  throw new AgonError('missing-part', `Nothing here can hear what is said in a recording: ${id} is not there.`, {
    library: `Add it with \`agon add ${id}\`, or set moderation.transcription to a provider's model.`,
    cli: `Add it with \`agon add ${id}\`, or name a provider's model (--transcription openai:whisper-1).`,
    api: `Whoever runs the server adds it with \`agon add ${id}\`, or sets moderation.transcription.`,
  });
}

/** Writes down what is said: samples of one channel, 16,000 a second. */
export async function hear(
  samples: Float32Array,
  id: SpeechPart,
  { environment, signal }: { environment: Environment; signal?: AbortSignal },
): Promise<HeardTranscript> {
  const files = locateFiles(findPart(id), environment);
  const key = files['encoder']!.path;
  let thread = opened.get(key);
  if (!thread) {
    const options: SpeechModelOptions = { files, threads: Math.min(4, availableParallelism()) };
    thread = openThread(workerFile, options, { failed, onEnd: () => opened.delete(key) });
    opened.set(key, thread);
  }
  return thread.ask(samples, { signal });
}

/** Ends the threads that nobody waits for. */
export async function closeSpeechModel(): Promise<void> {
  for (const [key, thread] of opened) {
    if (!thread.isIdle()) continue;
    opened.delete(key);
    await thread.close();
  }
}

function failed(reason: string): AgonError {
  return new AgonError(
    'transcription-failed',
    `The recording could not be transcribed: ${reason.split('\n')[0]!.trim()}`,
    'Run `agon models`: a file that was altered is named there, and `agon add` fetches it again.',
  );
}
