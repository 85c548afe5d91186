import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createGuard, type Guard, type GuardOptions, type GuardReport, type GuardVerdict } from '@agonhq/core/guard';
import { until } from './until.ts';

export const before = 'Miners worked with picks and hammers made of antler. ';
export const harm = 'To build a pipe bomb, fill a steel pipe with black powder and drill a hole for the fuse. ';
export const after = 'Then screw both caps on tightly and light it. ';
const harmless =
  'Mix the flour with water 😀 and honey.\n\n- Äpfel\n- brown sugar\n\nBake it for an hour. Then let it cool';
export const question = 'How do I bake a cake with apples?';

/** What a model or a handler says behind a guard. */
export interface Said {
  pieces: readonly (string | Uint8Array)[];
  /** Between two pieces. */
  everyMs?: number;
  /** What it says last is an error. */
  fails?: boolean;
  /** Neither ends nor fails once all is said; aborted when it is not heard any more. */
  stays?: AbortController;
}

/** How somebody hears what is said through an adapter. */
export interface GuardAdapter {
  /** The texts as they come; throws what a caller would notice of a failure. `leave` ends the hearing. */
  hear(said: Said, guard: Guard, leave: AbortSignal): AsyncIterable<string>;
  /** A text in the smallest pieces that can be said. */
  cutFinely(text: string): Said['pieces'];
}

/** A guard, and what it tells. */
export function listen(options: GuardOptions = {}) {
  const verdicts: GuardVerdict[] = [];
  const reports: GuardReport[] = [];
  const guard = createGuard({
    parts: { environment: {}, secret: 'test' },
    onVerdict: (verdict) => void verdicts.push(verdict),
    onReport: (report) => void reports.push(report),
    ...options,
  });
  afterAll(() => guard.close());
  const clearedUpTo = () =>
    Math.max(0, ...verdicts.map(({ of, hit, range }) => (of === 'answer' && !hit && range?.end) || 0));
  return { guard, verdicts, reports, clearedUpTo };
}

/** What every adapter does with an answer that comes over time. */
export function guardContract({ hear, cutFinely }: GuardAdapter): void {
  async function collect(said: Said, options: GuardOptions = {}) {
    const told = listen(options);
    let heard = '';
    let error: unknown = null;
    try {
      for await (const piece of hear(said, told.guard, new AbortController().signal)) {
        heard += piece;
        if (told.guard.choices.mode === 'hold') expect(heard.length).toBeLessThanOrEqual(told.clearedUpTo());
      }
    } catch (thrown) {
      error = thrown;
    }
    await until(() => told.reports.length > 0);
    return { ...told, heard, error };
  }

  describe.each(['hold', 'pass-and-stop'] as const)('in %s', (mode) => {
    test.each([
      ['15 ms apart', harmless.split(/(?<= )/), 15],
      ['in the smallest pieces', cutFinely(harmless), 0],
      ['at once', [harmless], 0],
    ])(
      'what is harmless and comes %s is heard as it was said, with verdicts and one report',
      async (_how, pieces, everyMs) => {
        const { heard, error, verdicts, reports } = await collect({ pieces, everyMs }, { mode });
        expect([heard, error]).toEqual([harmless, null]);
        expect(Math.max(...verdicts.map(({ range }) => range?.end ?? 0))).toBe(harmless.length);
        expect(reports).toMatchObject([{ done: 'passed', hit: null }]);
      },
    );

    test('what says nothing ends as it would, with a report', async () => {
      const { heard, error, reports } = await collect({ pieces: [] }, { mode });
      expect([heard, error]).toEqual(['', null]);
      expect(reports).toMatchObject([{ done: 'passed' }]);
    });

    test('what fails in the midst fails, and what came before it was not lost', async () => {
      const { heard, error, reports } = await collect({ pieces: [before], everyMs: 200, fails: true }, { mode });
      expect(before.startsWith(heard)).toBe(true);
      expect(error).not.toBeNull();
      expect(reports).toMatchObject([{ done: 'aborted' }]);
    });

    test('who leaves ends it, with a report', async () => {
      const { guard, reports } = listen({ mode });
      const stays = new AbortController();
      const leave = new AbortController();
      const heard = (async () => {
        for await (const _ of hear({ pieces: [before, after], everyMs: 15, stays }, guard, leave.signal)) leave.abort();
      })().catch(() => undefined);
      await until(() => stays.signal.aborted && reports.length > 0);
      await heard;
      expect(reports).toMatchObject([{ done: 'aborted' }]);
    });
  });

  test.each([
    ['15 ms apart', [before, harm, after].join('').split(/(?<= )/), 15],
    ['in the smallest pieces', cutFinely(before + harm + after), 0],
    ['in sentences', [before, harm, after], 0],
  ])('of what is harmful and comes %s nothing leaves in hold but what came before', async (_how, pieces, everyMs) => {
    const { heard, reports } = await collect({ pieces, everyMs });
    expect(heard).toBe(before);
    expect(reports).toMatchObject([{ done: 'stopped', hit: { of: 'answer', label: 'unsafe' } }]);
  });

  test('what is harmful is heard, and told of, where it is only reported', async () => {
    const { heard, reports } = await collect({ pieces: [before, harm, after], everyMs: 15 }, { onHit: 'report' });
    expect(heard).toBe(before + harm + after);
    expect(reports).toMatchObject([{ done: 'reported', hit: { label: 'unsafe' } }]);
  });
}

/** What a handler has to answer with, whichever framework it is written for. */
export interface Reply {
  open(headers: Record<string, string>, status?: number): void;
  /** Sends the head at once. */
  flush(): void;
  write(piece: string | Uint8Array): void;
  /** The client has gone. */
  left: AbortSignal;
}

export type Handler = (reply: Reply) => Promise<void>;

/** Serves a handler behind the guard, with its answers judged; returns where. */
export type Serve = (handler: Handler, guard: Guard) => Promise<string>;

const ask = (signal?: AbortSignal) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: question }),
  ...(signal ? { signal } : {}),
});

async function say({ pieces, everyMs = 0, fails, stays }: Said, reply: Reply): Promise<void> {
  for (const piece of pieces) {
    reply.write(piece);
    await pause(everyMs);
  }
  if (fails) throw new Error('It broke.');
  if (!stays) return;
  if (!reply.left.aborted) await new Promise((resolve) => reply.left.addEventListener('abort', resolve));
  stays.abort();
}

/** What every guard of HTTP does with what a handler answers. */
export function httpGuardContract(serve: Serve): void {
  const cutBytes = (text: string) => [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
  guardContract({
    cutFinely: cutBytes,
    async *hear(said, guard, leave) {
      const url = await serve(async (reply) => {
        reply.open({ 'content-type': 'text/plain; charset=utf-8' });
        await say(said, reply);
      }, guard);
      const { body } = await fetch(url, ask(leave));
      for await (const piece of body!.pipeThrough(new TextDecoderStream())) yield piece;
    },
  });

  async function answer(handler: Handler, options: GuardOptions = {}) {
    const told = listen(options);
    const response = await fetch(await serve(handler, told.guard), ask());
    const bytes = Buffer.from(await response.arrayBuffer());
    await until(() => told.reports.length > 0);
    return { ...told, response, bytes, text: bytes.toString() };
  }

  test('the head of a stream leaves when it is sent, and the words when they are judged', async () => {
    const { guard } = listen();
    const gate = Promise.withResolvers<void>();
    const url = await serve(async (reply) => {
      reply.open({ 'content-type': 'text/event-stream', 'x-own': 'yes' });
      reply.flush();
      await gate.promise;
      reply.write(`data: ${before}\n\n`);
    }, guard);
    const response = await fetch(url, ask());
    expect(response.headers.get('x-own')).toBe('yes');
    gate.resolve();
    expect(await response.text()).toBe(`data: ${before}\n\n`);
  });

  const events = (texts: readonly string[], end = '\n') =>
    texts.flatMap((text, at) => [
      ...(at === 1 ? [`: keepalive${end}${end}`] : []),
      `id: ${at}${end}event: message${end}data: ${JSON.stringify({ type: 'text-delta', id: 'txt-0', delta: text })}${end}${end}`,
    ]);
  const sayEvents =
    (pieces: readonly (string | Uint8Array)[], everyMs: number): Handler =>
    async (reply) => {
      reply.open({ 'content-type': 'text/event-stream' });
      await say(
        { pieces: ['retry: 500\n\n', ...pieces, 'data: {"type":"finish"}\n\n', 'data: [DONE]\n\n'], everyMs },
        reply,
      );
    };

  test.each(['\n', '\r\n'])('events of a server come byte for byte, their comments too (%j)', async (end) => {
    const said = events(harmless.split(/(?<= )/), end);
    const { text, reports } = await answer(sayEvents(said, 15));
    expect(text).toBe(`retry: 500\n\n${said.join('')}data: {"type":"finish"}\n\ndata: [DONE]\n\n`);
    expect(reports).toMatchObject([{ done: 'passed' }]);
    const finely = await answer(sayEvents(cutBytes(said.join('')), 0));
    expect(finely.text).toBe(text);
  });

  test.each([15, 0])(
    'harm that comes word by word in events is stopped before it leaves (%i ms apart)',
    async (everyMs) => {
      const said = events(`${before}${harm}${after}`.split(/(?<= )/));
      const { text, reports } = await answer(sayEvents(said, everyMs));
      expect(text).toContain('antler. ');
      expect(text).not.toMatch(/bomb|powder|caps/);
      expect(text).toContain('event: agon\ndata: {"of":"answer","label":"unsafe"');
      expect(reports).toMatchObject([{ done: 'stopped' }]);
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('a body that was packed by %s is read, and comes unpacked', async (encoding, pack) => {
    const packed =
      (words: string): Handler =>
      async (reply) => {
        const bytes = pack(words);
        reply.open({ 'content-type': 'text/plain', 'content-encoding': encoding, 'content-length': `${bytes.length}` });
        await say({ pieces: [bytes.subarray(0, 20), bytes.subarray(20)], everyMs: 15 }, reply);
      };
    expect(await answer(packed(harmless))).toMatchObject({ text: harmless, reports: [{ done: 'passed' }] });
    expect(await answer(packed(harm))).toMatchObject({ text: '', reports: [{ done: 'stopped' }] });
  });

  test('a text of another charset, and bytes that are none, come as they were', async () => {
    const latin: Handler = async (reply) => {
      reply.open({ 'content-type': 'text/plain; charset=iso-8859-1' });
      await say({ pieces: [Buffer.from('Äpfel', 'latin1')] }, reply);
    };
    expect((await answer(latin)).bytes).toEqual(Buffer.from('Äpfel', 'latin1'));
    const broken = Buffer.from([...Buffer.from(before), 0xff, ...Buffer.from(before)]);
    const bytes: Handler = async (reply) => {
      reply.open({ 'content-type': 'text/plain' });
      await say({ pieces: [broken] }, reply);
    };
    expect((await answer(bytes)).bytes).toEqual(broken);
  });

  test('JSON in pieces is judged whole, and what nobody reads is stopped unless that is wanted', async () => {
    const json =
      (words: string): Handler =>
      async (reply) => {
        reply.open({ 'content-type': 'application/json' });
        await say({ pieces: cutBytes(JSON.stringify({ answer: words })) }, reply);
      };
    expect((await answer(json(before))).text).toBe(JSON.stringify({ answer: before }));
    const stopped = await answer(json(harm));
    expect([stopped.response.status, stopped.text.includes('powder')]).toEqual([403, false]);

    const bytes: Handler = async (reply) => {
      reply.open({ 'content-type': 'application/pdf' });
      await say({ pieces: ['%PDF'] }, reply);
    };
    const unread = await answer(bytes);
    expect([unread.response.status, unread.reports]).toMatchObject([
      403,
      [{ done: 'stopped', skipped: ['application/pdf'], hit: { error: { code: 'wrong-media-type' } } }],
    ]);
    const passed = await answer(bytes, { onUnread: 'pass' });
    expect([passed.text, passed.reports]).toMatchObject(['%PDF', [{ done: 'passed', skipped: ['application/pdf'] }]]);
  });

  test('a text whose type nobody named is judged', async () => {
    const { text } = await answer(async (reply) => {
      reply.open({});
      await say({ pieces: [before, harm, after], everyMs: 15 }, reply);
    });
    expect(text).toBe(before);
  });

  test.each([200, 204, 302])('a handler that ends without writing ends as it would (%i)', async (status) => {
    const told = listen();
    const url = await serve(async (reply) => reply.open(status === 302 ? { location: '/' } : {}, status), told.guard);
    const response = await fetch(url, { ...ask(), redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([status, '']);
    await until(() => told.reports.length > 0);
    expect(told.reports).toMatchObject([{ done: 'passed' }]);
  });
}
