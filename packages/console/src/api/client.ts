import { type Client, createClient } from '@agonhq/server/client';
import type { CaseRow } from '@agonhq/server/api';

/** The server that this page came from; who asks is known by the session's cookie. */
export const client: Client = createClient({ baseUrl: location.origin, retries: 2 });

/** Whether the server is there. */
export async function isServerUp(signal?: AbortSignal): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', ...(signal ? { signal } : {}) })).ok;
  } catch {
    return false;
  }
}

/** How it stands with the connection of a trial: `full` while the server has no place for it. */
export type Connection = 'steady' | 'reconnecting' | 'full';

/** A client that tells how its connection stands while it recovers by itself, and how much of files was sent. */
export function watchedClient(
  tell: (connection: Connection) => void,
  tellSent: (sent: number | null) => void = () => undefined,
): Client {
  let asked = 0;
  let full = false;
  const fetch = createUploadFetch(tellSent);
  return createClient({
    baseUrl: location.origin,
    retries: 5,
    async fetch(...request) {
      asked += 1;
      if (asked > 1 && !full) tell('reconnecting');
      const response = await fetch(...request);
      full = response.status === 429;
      if (response.ok) tell('steady');
      if (full) tell('full');
      return response;
    },
  });
}

/** Where a file that a case is about can be had. */
export function attachmentUrl(id: string, hash: string): string {
  return `/api/cases/${encodeURIComponent(id)}/attachments/${encodeURIComponent(hash)}`;
}

/* The answers of the server, by name. All of them come from its contract. */

type Returned<Method extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;

export type { CaseRow };
export type ApiKey = Returned<Client['keys']['list']>['rows'][number];
export type Webhook = Returned<Client['webhooks']['list']>['rows'][number];
export type Delivery = Returned<Client['webhooks']['deliveries']>['rows'][number];
export type SentAuditEntry = Returned<Client['audit']['list']>['rows'][number];
export type SentActor = Returned<Client['audit']['people']>['rows'][number];
export type SettingsInForce = Returned<Client['settings']['get']>;
export type SentModel = SettingsInForce['models'][number];
export type ModelTrial = Returned<Client['models']['try']>;
export type Self = Returned<Client['house']['self']>;
export type SentCaseRecord = Returned<Client['cases']['get']>;
export type TurnCallsRecord = Returned<Client['cases']['calls']>;
export type DisclosedRow = Returned<Client['cases']['disclosures']>['disclosures'][number];
export type SentModerationAnswer = Returned<Client['moderations']['create']>;
/** An answer of any job. */
export type SentAnswer = NonNullable<SentCaseRecord['answer']>;
type Entry = SentModerationAnswer['transcript'][number];
export type SentTurn = Extract<Entry, { kind: 'turn' }>;
export type SentEvidence = SentModerationAnswer['verdict']['evidence'][number];
export type KeyScope = Self['scopes'][number];
export type SentJob = CaseRow['job'];
export type ServedJob = Returned<Client['jobs']['list']>['rows'][number];
export type SentPrecedent = Returned<Client['precedents']['get']>;
export type SentPolicy = Returned<Client['policies']['get']>;
export type PolicyVersion = Returned<Client['policies']['list']>['rows'][number];
export type PolicyTest = Returned<Client['policies']['test']>;
export type SentImpactReport = Returned<Client['policies']['impact']>;
export type QueueRow = Returned<Client['queue']['list']>['rows'][number];
export type SentReviewQueue = Returned<Client['queues']['list']>['rows'][number];
export type SentAlikeCase = Returned<Client['queue']['alike']>['rows'][number];
export type SentKnownImage = Returned<Client['knownImages']['list']>['rows'][number];
export type QueueItem = Returned<Client['queue']['hold']>;
export type CasesAround = Returned<Client['cases']['around']>;
export type QueueDecided = Returned<Client['queue']['decide']>;
export type SentAnnotationProject = Returned<Client['annotations']['get']>;
export type SentAnnotationItem = Returned<Client['annotations']['item']>;
export type SentOverview = Returned<Client['overview']['get']>;
export type SentWatchReport = Returned<Client['watching']['figures']>;
export type SentWatchRule = Returned<Client['watching']['rules']>['rows'][number];
export type Alert = Returned<Client['watching']['alerts']>['rows'][number];
export type Shadow = Returned<Client['shadows']['list']>['rows'][number];
export type ShadowReport = Returned<Client['shadows']['get']>;
export type ShadowPair = Returned<Client['shadows']['pairs']>['rows'][number];
export type SentRun = Returned<Client['runs']['list']>['rows'][number];
export type SentRunReport = Returned<Client['runs']['get']>;
export type SentRunEstimate = Returned<Client['runs']['estimate']>;
export type SentRunItem = Returned<Client['runs']['items']>['rows'][number];
export type SentRunDifference = Returned<Client['runs']['diff']>;
export type Bench = Returned<Client['benches']['list']>['rows'][number];
export type BenchReport = Returned<Client['benches']['get']>;
export type BenchEstimate = Returned<Client['benches']['estimate']>;
export type BenchSet = BenchReport['sets'][number];
export type BenchItem = Returned<Client['benches']['items']>['rows'][number];

/** Bodies from here on take long enough to be told about. */
const large = 500_000;

/**
 * `fetch` that tells how much of a large body was sent, from 0 to 1, and null once it was. Browsers tell only who asks
 * by XMLHttpRequest; the answer is handed on as it comes, so that events are heard as they happen.
 */
function createUploadFetch(tell: (sent: number | null) => void): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const { body } = init;
    if (typeof body !== 'string' || body.length < large) return globalThis.fetch(address, init);
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const { method = 'POST', signal } = init;
      request.open(method, address instanceof Request ? address.url : address.toString());
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener('progress', ({ loaded, total }) => tell(total > 0 ? loaded / total : 0));
      request.upload.addEventListener('loadend', () => tell(null));
      const answer = streamAnswer(request);
      request.addEventListener('readystatechange', () => {
        if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return;
        const headers = new Headers(readHeaders(request.getAllResponseHeaders()));
        resolve(new Response(answer, { status: request.status, headers }));
      });
      request.addEventListener('error', () => reject(new TypeError('The connection was lost.')));
      request.addEventListener('abort', () => reject(signal?.reason ?? new DOMException('Stopped.', 'AbortError')));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      if (signal?.aborted) return reject(signal.reason);
      tell(0);
      request.send(body);
    });
  };
}

/** The body of an answer, piece by piece as it comes. */
function streamAnswer(request: XMLHttpRequest): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let handed = 0;
  return new ReadableStream({
    start(controller) {
      const hand = () => {
        const text = request.responseText.slice(handed);
        handed += text.length;
        if (text !== '') controller.enqueue(encoder.encode(text));
      };
      request.addEventListener('progress', hand);
      request.addEventListener('load', () => {
        hand();
        controller.close();
      });
      for (const end of ['error', 'abort'])
        request.addEventListener(end, () => controller.error(new TypeError('The connection was lost.')));
    },
    cancel: () => request.abort(),
  });
}

function readHeaders(lines: string): [string, string][] {
  return lines
    .trim()
    .split(/[\r\n]+/)
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
}
