import { createParser } from 'eventsource-parser';
import { drawDoor, rest, type Client, type ClientRequest } from './good-client.ts';

interface Heard {
  id: string;
  seal: string;
}

/**
 * Listens to a debate until its verdict, and goes on after the last event wherever the stream broke, at the other
 * door. Null when the deadline came first.
 */
export async function hearCase(client: Client, request: ClientRequest): Promise<Heard | null> {
  let last: string | null = null;
  const first = drawDoor(client);
  for (let attempt = 0; !client.deadline.aborted; attempt += 1) {
    const heard = await listen(client, request, first + attempt, last);
    last = heard.last;
    if (heard.answer) return heard.answer;
    if (heard.problem) client.onWrong(`POST ${request.path} told its listener of ${heard.problem}`);
    await rest(attempt, client.deadline);
  }
  return null;
}

/** Problems that a good client is to expect while the town is struck. */
const passingProblems =
  /draining|cancelled|ledger-|full-disk|idempotency-running|queue-full|took-too-long|locked-ledger|item-lost|too-many/;

async function listen(client: Client, request: ClientRequest, attempt: number, after: string | null) {
  const heard = { last: after, answer: null as Heard | null, problem: null as string | null };
  const silence = new AbortController();
  let clock = setTimeout(() => silence.abort(), silenceMs);
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (id) heard.last = id;
      const value = JSON.parse(data) as { answer?: Heard; problem?: { code: string; status: number } };
      if (event === 'answer' && value.answer) heard.answer = { id: value.answer.id, seal: value.answer.seal };
      if (event === 'problem' && value.problem && !passingProblems.test(value.problem.code))
        heard.problem = value.problem.code;
    },
  });
  try {
    const response = await fetch(`${client.doors[attempt % client.doors.length]!}${request.path}`, {
      method: 'POST',
      headers: {
        ...request.headers,
        accept: 'text/event-stream',
        ...(after === null ? {} : { 'last-event-id': after }),
      },
      body: request.body?.(),
      signal: AbortSignal.any([silence.signal, client.deadline]),
    });
    if (!response.ok || !response.body) {
      const text = await response.text();
      if (response.status < 500 && ![408, 409, 429].includes(response.status)) heard.problem = text;
      return heard;
    }
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      clearTimeout(clock);
      clock = setTimeout(() => silence.abort(), silenceMs);
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (heard.answer) break;
    }
  } catch {
    // The stream broke: it is taken up where it was.
  } finally {
    clearTimeout(clock);
    silence.abort();
  }
  return heard;
}

/** Streams say something every few seconds, if only that they are there. */
const silenceMs = 30_000;
