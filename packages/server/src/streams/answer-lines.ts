import type { Sink } from '@agonhq/core/streams';

/** Lines that somebody reads as they come: whoever writes waits until they are taken. */
export interface AnswerLines {
  sink: Sink;
  /** The last line; nothing comes behind it. */
  end(line: object | null): void;
  lines: AsyncGenerator<string, void, void>;
}

export function openAnswerLines(signal: AbortSignal): AnswerLines {
  let waiting: { text: string; taken(): void }[] = [];
  let ended = false;
  let wake = () => {};
  signal.addEventListener('abort', () => {
    for (const { taken } of waiting) taken();
    wake();
  });

  function put(text: string): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((taken) => {
      waiting.push({ text, taken });
      wake();
    });
  }

  async function* read(): AsyncGenerator<string, void, void> {
    while (!signal.aborted) {
      const now = waiting;
      waiting = [];
      for (const { text, taken } of now) {
        yield text;
        taken();
      }
      if (waiting.length > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    sink: {
      name: 'the answer',
      write: (results) => put(results.map((result) => `${JSON.stringify(result)}\n`).join('')),
      flush: async () => undefined,
      close: async () => undefined,
    },
    end(line) {
      if (line) void put(`${JSON.stringify(line)}\n`);
      ended = true;
      wake();
    },
    lines: read(),
  };
}
