import type { Client } from '../../../../src/client/index.ts';
import type { Job } from '../../api/types.ts';
import type { TrialEvent } from '../../trial/trial-view.ts';
import type { Order } from './order.ts';

/** Asks for a trial, and hears it. */
export async function* askFor(
  client: Client,
  order: Order,
  signal: AbortSignal,
): AsyncGenerator<TrialEvent, void, void> {
  const method = order.method === '' ? {} : { method: order.method as never };
  switch (order.job) {
    case 'moderation': {
      const images = await Promise.all(
        order.images.map(async (file) => ({ data: await dataUrlOf(file), name: file.name.slice(0, 200) })),
      );
      yield* client.moderations.stream(
        {
          ...(order.text.trim() === '' ? {} : { text: order.text }),
          ...(images.length === 0 ? {} : { images }),
          ...method,
        },
        { signal },
      );
      return;
    }
    case 'evaluation':
      yield* client.evaluations.stream({ prompt: order.prompt, response: order.response, ...method }, { signal });
      return;
    case 'documents':
      yield* client.analyses.stream({ files: order.files, ...method }, { signal });
  }
}

/** Hears a trial that somebody asked for, from its beginning. */
export function joined(client: Client, job: Job, id: string, signal: AbortSignal): AsyncIterable<TrialEvent> {
  const group = { moderation: client.moderations, evaluation: client.evaluations, documents: client.analyses }[job];
  return group.events(id, { signal });
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`${file.name} could not be read.`)));
    // What a server sees is what the bytes are, whatever the browser calls them.
    reader.readAsDataURL(new Blob([file], { type: 'application/octet-stream' }));
  });
}
