import { createAgon } from '@agonhq/core';
import { openGuard } from '@agonhq/models/reasoners/embedded/guard';

/*
 * A measured process: `bare` asks the guard model and nothing else, `agon` holds the whole debate. It reads what it is
 * sent.
 */

export interface Work {
  texts: string[];
  concurrency: number;
}

export interface Took {
  wallMs: number;
  /** Of all threads, the model's own included. */
  cpuMs: number;
}

const readText = process.argv[2] === 'bare' ? await bare() : await debating();
process.on('message', (work: Work) => void measured(work).then((took) => process.send!(took)));
process.send!('ready');

async function bare(): Promise<(text: string) => Promise<unknown>> {
  const guard = await openGuard();
  return (text) => guard.read(text);
}

async function debating(): Promise<(text: string) => Promise<unknown>> {
  const agon = await createAgon({}, { environment: {}, secret: 'bench' });
  return async (text) => {
    const { provenance, transcript } = await agon.moderate(text);
    if (
      !provenance.models['arbiter']!.startsWith('embedded:') ||
      transcript.some((entry) => entry.kind === 'turn' && entry.fallback)
    )
      throw new Error('not a whole debate by the embedded reasoner');
  };
}

async function measured({ texts, concurrency }: Work): Promise<Took> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const left = texts.values();
  const lane = async () => {
    for (const text of left) await readText(text);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}
