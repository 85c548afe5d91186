import { createParser } from 'eventsource-parser';

/** An event of a stream as a client hears it. */
export interface HeardEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** The events of a response, as they come. */
export async function* heardEvents(response: Response): AsyncGenerator<HeardEvent, void, void> {
  const heard: HeardEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      heard.push({ id: id!, event: event!, data: JSON.parse(data) as Record<string, unknown> }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* heard.splice(0);
  }
}
