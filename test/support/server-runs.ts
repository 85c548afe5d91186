import { createParser } from 'eventsource-parser';
import { operations } from '@agonhq/server/api';
import type { ServerUnderTest } from './running-server.ts';

/** What an item of a run is, as JSON Lines. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** A form as a client sends it: fields, then files. */
export function formOf(
  fields: Record<string, string>,
  files: readonly { name: string; content: string | Uint8Array<ArrayBuffer> }[],
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, content } of files) form.append('file', new File([content], name));
  return form;
}

type SchemaOf<Id extends string> = Extract<(typeof operations)[number], { id: Id }>['answers'] extends {
  schema: { parse(value: unknown): infer Value };
}
  ? Value
  : never;

/** The JSON of an answer, as the contract says it is. */
export async function as<Id extends (typeof operations)[number]['id']>(
  id: Id,
  response: Response,
): Promise<SchemaOf<Id>> {
  const { answers } = operations.find((operation) => operation.id === id)!;
  const body: unknown = await response.json();
  if (response.status !== answers.status) throw new Error(`${id} answered ${response.status}: ${JSON.stringify(body)}`);
  return (answers as unknown as { schema: { parse(value: unknown): SchemaOf<Id> } }).schema.parse(body);
}

export interface HeardEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** The events of a run, up to its end, or until `enough`. */
export async function runEvents(
  server: Pick<ServerUnderTest, 'call'>,
  id: string,
  { after, enough = () => false }: { after?: string; enough?: (event: HeardEvent) => boolean } = {},
): Promise<HeardEvent[]> {
  const stop = new AbortController();
  const response = await server.call(`/api/runs/${id}/events`, {
    headers: after === undefined ? {} : { 'last-event-id': after },
    signal: stop.signal,
  });
  const heard: HeardEvent[] = [];
  const parser = createParser({
    onEvent: ({ id: number = '', event = '', data }) =>
      void heard.push({ id: number, type: event, data: JSON.parse(data) as Record<string, unknown> }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (heard.some(enough)) break;
  }
  stop.abort();
  return heard;
}
