import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModelCall } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import type { Conversation, LaidOutMessage } from './lay-out-prompt.ts';

/** A request as it left, before anybody made sense of it. */
interface RawRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  bytes: number;
}

const listening = new AsyncLocalStorage<(request: RawRequest) => void>();

/** What the wire says of a request, for whoever listens. */
export function tellRequest(url: string, init: RequestInit | undefined): void {
  const tell = listening.getStore();
  const body = init?.body;
  const isForm = body instanceof Uint8Array;
  if (!tell || (typeof body !== 'string' && !isForm)) return;
  const bytes = Buffer.byteLength(body);
  const headers = Object.fromEntries(new Headers(init!.headers));
  tell({ url, headers, body: isForm ? `<a form of ${bytes} bytes>` : body, bytes });
}

/** What a model in this process is given: the same for the record, though nothing goes over a wire. */
export function tellLocalPrompt(prompt: string): void {
  const body = JSON.stringify({ prompt });
  listening.getStore()?.({ url: 'local:', headers: {}, body, bytes: Buffer.byteLength(prompt) });
}

/**
 * Does some work and hears the request that it sends, the last one where it sends several: before the work is done, but
 * when the request has left, so that nobody waits for what is made of it.
 */
export async function hearRequest<Result>(
  work: () => Promise<Result>,
  hear: (request: RawRequest) => void,
): Promise<Result> {
  let heard: Promise<void> | undefined;
  const tell = (request: RawRequest) => {
    heard = nextTurn().then(() => hear(request));
    heard.catch(() => {}); // Awaited below.
  };
  try {
    return await listening.run(tell, work);
  } finally {
    await heard;
  }
}

const ownHeaders = /^(?:content-type|anthropic-|openai-)/;
const keyHeaders = /^(?:authorization|api-key|x-api-key|x-goog-api-key)$/;

/** A request as it can be shown, and sent again by whoever has the key: no key, and images by their hashes. */
export function showRequest(
  { url, headers, body }: RawRequest,
  conversation: Conversation,
  { provider, redact }: { provider: string; redact: (text: string) => string },
): NonNullable<ModelCall['request']> {
  const key = `$${provider.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_API_KEY`;
  const shown = Object.entries(headers).flatMap(([name, value]) => {
    if (keyHeaders.test(name)) return [[name, /^bearer /i.test(value) ? `Bearer ${key}` : key]];
    return ownHeaders.test(name) ? [[name, redact(value)]] : [];
  });
  const images = listImages(conversation);
  const clean = images.reduce((text, { base64, mark }) => text.replaceAll(base64, mark), redact(body));
  return { url: redact(url), headers: Object.fromEntries(shown), body: readBody(clean) };
}

/** A body that is no JSON is shown as it is: a record must not cost the call. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The messages of a conversation as text; an image stands as its hash. */
export function showMessages({ messages }: Conversation): ModelCall['messages'] {
  return messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map(showPart).join('\n\n'),
  }));
}

function showPart(part: Exclude<LaidOutMessage['content'], string>[number]): string {
  return part.type === 'text' ? part.text : markImage(part.data);
}

function listImages({ messages }: Conversation): { base64: string; mark: string }[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) =>
          part.type === 'file'
            ? [{ base64: Buffer.from(part.data).toString('base64'), mark: markImage(part.data) }]
            : [],
        ),
  );
}

function markImage(data: Uint8Array): string {
  return `<${sha256(data)}>`;
}
