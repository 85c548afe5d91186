import { setTimeout as pause } from 'node:timers/promises';

/** What a client asks for; the body is made anew for each attempt. */
export interface ClientRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: () => RequestInit['body'];
}

export interface ClientAnswer {
  status: number;
  code: string | null;
  text: string;
}

/** A way to the servers of a ledger, and for how long a client goes on asking. */
export interface Client {
  doors: readonly string[];
  /** Whoever waits longer than this after everything was healed waits in vain. */
  deadline: AbortSignal;
  /** Told of answers that no good request should get. */
  onWrong(what: string): void;
}

const waitMs = { answer: 30_000, least: 150, most: 1_500 };

/** Conflicts that pass: somebody else is answering, or judging, this very request. */
const passingCodes = new Set(['idempotency-running', 'unfinished-case', 'running-run', 'cancelled']);

/**
 * Asks as a good client does: again after a lost connection or an answer that says so, at the other door, with a pause
 * that grows; with the same Idempotency-Key. Null when the deadline came first.
 */
export async function askUntilAnswered(client: Client, request: ClientRequest): Promise<ClientAnswer | null> {
  const first = drawDoor(client);
  for (let attempt = 0; !client.deadline.aborted; attempt += 1) {
    const answer = await askOnce(client, request, first + attempt);
    if (answer && !shouldAskAgain(answer)) {
      if (answer.status >= 400 && !expectedCodes.has(answer.code ?? ''))
        client.onWrong(`${describe(request)} was answered with ${answer.status} ${answer.code ?? answer.text}`);
      return answer;
    }
    if (answer?.status === 500) client.onWrong(`${describe(request)} was answered with 500 ${answer.text}`);
    await rest(attempt, client.deadline);
  }
  return null;
}

/** As a balancer would send it: to any of them. */
export function drawDoor({ doors }: Client): number {
  return Math.floor(Math.random() * doors.length);
}

/** What a request may be told that was right when it was made. */
const expectedCodes = new Set(['forgotten-case', 'budget-spent', 'finished-run', 'running-run']);

/** One attempt; null when no answer came. */
export async function askOnce(client: Client, request: ClientRequest, attempt = 0): Promise<ClientAnswer | null> {
  const door = client.doors[attempt % client.doors.length]!;
  try {
    const response = await fetch(`${door}${request.path}`, {
      method: request.method ?? (request.body ? 'POST' : 'GET'),
      headers: request.headers,
      body: request.body?.(),
      signal: AbortSignal.any([AbortSignal.timeout(waitMs.answer), client.deadline]),
    });
    const text = await response.text();
    return { status: response.status, code: response.ok ? null : codeOf(text), text };
  } catch {
    // Cut, refused, reset or out of patience: all the same to a client, who asks again.
    return null;
  }
}

function shouldAskAgain({ status, code }: ClientAnswer): boolean {
  return status === 429 || status === 408 || status >= 500 || passingCodes.has(code ?? '');
}

export async function rest(attempt: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(waitMs.most, waitMs.least * 1.6 ** attempt);
  await pause(ms * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}

export function jsonBody(value: unknown): Pick<ClientRequest, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: () => JSON.stringify(value) };
}

function codeOf(text: string): string | null {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? null;
  } catch {
    return null;
  }
}

function describe({ method, path, body }: ClientRequest): string {
  return `${method ?? (body ? 'POST' : 'GET')} ${path}`;
}
