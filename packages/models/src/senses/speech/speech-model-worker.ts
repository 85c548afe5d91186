/** A thread of its own, because onnxruntime-node's `run` blocks the one it is called in. */
import { workerData } from 'node:worker_threads';
import { readChecked } from '../runtime/read-checked.ts';
import { answerInTurn } from '../runtime/thread.ts';
import type { SpeechModelOptions } from './speech-model.ts';
import { transcribe, type HeardTranscript } from './transcribe.ts';
import { readTokens } from './whisper-tokens.ts';
import { openWhisper, type Whisper } from './whisper.ts';

const { files, threads } = workerData as SpeechModelOptions;

let whisper: Promise<Whisper> | undefined;

async function open(): Promise<Whisper> {
  const [encoder, decoder, vocabulary, config] = await Promise.all(
    ['encoder', 'decoder', 'vocabulary', 'config'].map((name) => readChecked(files[name]!)),
  );
  const tokens = readTokens(vocabulary!.toString('utf8'), config!.toString('utf8'));
  return openWhisper({ encoder: encoder!, decoder: decoder!, tokens }, threads);
}

answerInTurn(async (samples: Float32Array): Promise<HeardTranscript> => {
  whisper ??= open();
  // After a failure the next one tries again.
  whisper.catch(() => (whisper = undefined));
  return transcribe(samples, await whisper);
});
