import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';
import { runEvent } from '../api/schemas/index.ts';
import { renderExportLines } from '@agonhq/core/runs';
import type { FeedEvent } from '../event-feed.ts';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer({ server: { uploadBytes: 2_000_000 } });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const notes = Array.from({ length: 30 }, (_, number) => ({
  id: `note-${number}`,
  text: number % 10 === 3 ? `I will kill you, number ${number}.` : `A short note about gardens, number ${number}.`,
}));

async function started(
  fields: Record<string, string>,
  files: readonly { name: string; content: string | Uint8Array<ArrayBuffer> }[],
  headers: Record<string, string> = {},
) {
  return as('runs.create', await server.call('/api/runs', { method: 'POST', body: formOf(fields, files), headers }));
}

async function finished(id: string) {
  await runEvents(server, id);
  return as('runs.get', await server.call(`/api/runs/${id}`));
}

async function foldersOfRuns(): Promise<string[]> {
  return (await readdir(path.join(server.home, 'server', 'runs'))).filter((name) => !name.endsWith('.lock'));
}

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const line of lines) text += line;
  return text;
}

describe('a run over HTTP', () => {
  test('judges the items of an upload, tells how it goes, and gives out what the ledger has', async () => {
    const run = await started({ job: 'moderation', name: 'thirty' }, [
      { name: 'items.jsonl', content: jsonLines(notes) },
    ]);
    expect(run).toMatchObject({ name: 'thirty', job: 'moderation', state: 'running', live: true });
    const events = await runEvents(server, run.id);
    for (const { data } of events) runEvent.parse(data);
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      data: { state: 'finished', total: 30, done: 30, waiting: 0, problem: null },
    });
    expect(events.slice(0, -1).every(({ type }) => type === 'progress')).toBe(true);
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, place) => place + 1));

    const report = await as('runs.get', await server.call(`/api/runs/${run.id}`));
    expect(report).toMatchObject({ id: run.id, state: 'finished', live: false, counts: { done: 30, failed: 0 } });
    expect(report.counts.byLabel).toMatchObject({ safe: 27, unsafe: 3 });

    for (const format of ['jsonl', 'csv'] as const) {
      const response = await server.call(`/api/runs/${run.id}/export?format=${format}`);
      expect(response.headers.get('content-type')).toMatch(format === 'csv' ? 'text/csv' : 'application/jsonl');
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${run.id}.${format}"`);
      expect(await response.text()).toBe(await textOf(renderExportLines(server.ledger, run.id, { format })));
    }
  });

  test('whose events are asked for again goes on counting, and says where it stands', async () => {
    const run = await started({ job: 'moderation' }, [{ name: 'one.jsonl', content: jsonLines(notes.slice(0, 1)) }]);
    await finished(run.id);
    const again = await runEvents(server, run.id, { after: '41' });
    expect(again).toMatchObject([{ id: '42', type: 'end', data: { state: 'finished', done: 1 } }]);
  });

  test('keeps its files no longer than it needs them', async () => {
    const run = await started({ job: 'moderation' }, [{ name: 'items.jsonl', content: jsonLines(notes.slice(0, 2)) }]);
    await finished(run.id);
    await expect.poll(() => readdir(path.join(server.home, 'server', 'runs'))).not.toContain(run.id);
    expect(await readdir(path.join(server.home, 'server', 'uploads'))).toEqual([]);
  });

  test('reads CSV by the names that the input has for fields and labels', async () => {
    const content =
      'nr,comment,verdict\n1,"A note about tulips, and roses.",fine\n2,"I will kill you, number 3.",bad\n';
    const run = await started(
      {
        job: 'moderation',
        map: '{"id":"nr","text":"comment","label":"verdict"}',
        labels: '{"fine":"safe","bad":"unsafe"}',
      },
      [{ name: 'comments.csv', content }],
    );
    expect(await finished(run.id)).toMatchObject({
      state: 'finished',
      counts: { done: 2 },
      quality: { items: 2, accuracy: 1 },
    });
    const items = await as('runs.items', await server.call(`/api/runs/${run.id}/items`));
    expect(items.rows.map(({ key, expected, result }) => [key, expected, result?.label])).toEqual([
      ['1', 'safe', 'safe'],
      ['2', 'unsafe', 'unsafe'],
    ]);
  });

  test('reads what the request says that it is, whatever the file is called', async () => {
    const run = await started({ job: 'moderation', format: 'tsv', map: '{"text":"comment"}' }, [
      { name: '.hidden/data.bin', content: 'id\tcomment\na\tA note about tulips.\n' },
    ]);
    expect(await finished(run.id)).toMatchObject({ state: 'finished', counts: { done: 1 } });
  });

  test('finds images beside the input by their names, and nothing outside', async () => {
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 200, g: 220, b: 240 } } })
      .png()
      .toBuffer();
    const items = [
      { id: 'beside', text: 'A blue square.', image: 'square.png' },
      { id: 'outside', text: 'x', image: '../secret.png' },
      { id: 'absolute', text: 'x', image: '/etc/passwd' },
      { id: 'missing', text: 'x', image: 'nowhere.png' },
    ];
    const run = await started({ job: 'moderation' }, [
      { name: 'items.jsonl', content: jsonLines(items) },
      { name: '../../pictures/square.png', content: new Uint8Array(png) },
    ]);
    expect(await finished(run.id)).toMatchObject({ state: 'finished', counts: { done: 1, failed: 3 } });
    const failed = await as('runs.items', await server.call(`/api/runs/${run.id}/items?state=failed`));
    expect(failed.rows.map(({ key, error }) => [key, error?.code])).toEqual([
      ['outside', 'path-outside-root'],
      ['absolute', 'path-outside-root'],
      ['missing', expect.any(String)],
    ]);
    const shown =
      JSON.stringify(failed) +
      (await (await server.call(`/api/runs/${run.id}`)).text()) +
      (await (await server.call(`/api/runs/${run.id}/export`)).text());
    expect(shown).not.toContain(server.home);
  });

  test('is one run when the same request comes twice', async () => {
    const file = { name: 'items.jsonl', content: jsonLines(notes.slice(0, 3)) };
    const first = await started({ job: 'moderation' }, [file], { 'idempotency-key': 'once' });
    const second = await server.call('/api/runs', {
      method: 'POST',
      body: formOf({ job: 'moderation' }, [file]),
      headers: { 'idempotency-key': 'once' },
    });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await second.json()).toMatchObject({ id: first.id });
    const other = await server.call('/api/runs', {
      method: 'POST',
      body: formOf({ job: 'moderation' }, [{ ...file, content: 'other' }]),
      headers: { 'idempotency-key': 'once' },
    });
    expect(other.status).toBeGreaterThanOrEqual(400);
    await finished(first.id);
  });

  test('is listed, page by page, and its items too', async () => {
    const all = await as('runs.list', await server.call('/api/runs?limit=200'));
    const pages: string[] = [];
    let next: string | null = null;
    do {
      const page: { rows: { id: string }[]; next: string | null } = await as(
        'runs.list',
        await server.call(`/api/runs?limit=2${next === null ? '' : `&after=${encodeURIComponent(next)}`}`),
      );
      pages.push(...page.rows.map(({ id }) => id));
      ({ next } = page);
    } while (next !== null);
    expect(pages).toEqual(all.rows.map(({ id }) => id));
    expect(pages.length).toBeGreaterThan(4);
    expect((await as('runs.list', await server.call('/api/runs?state=cancelled&job=documents'))).rows).toEqual([]);

    const thirty = all.rows.find(({ name }) => name === 'thirty')!;
    const first = await as('runs.items', await server.call(`/api/runs/${thirty.id}/items?limit=20`));
    const second = await as(
      'runs.items',
      await server.call(`/api/runs/${thirty.id}/items?limit=20&after=${first.next!}`),
    );
    expect([...first.rows, ...second.rows].map(({ position }) => position)).toEqual(notes.map((_, place) => place + 1));
    expect(second.next).toBeNull();
    expect((await server.call(`/api/runs/${thirty.id}/items?after=nonsense`)).status).toBe(400);
    expect((await server.call('/api/runs?after=nonsense')).status).toBe(400);
  });

  test('is held against another', async () => {
    const [a, b] = await Promise.all(
      [notes.slice(0, 5), [...notes.slice(0, 4), { id: 'note-4', text: 'Something else, about trees.' }]].map(
        async (items) => {
          const { id } = await started({ job: 'moderation' }, [{ name: 'items.jsonl', content: jsonLines(items) }]);
          await finished(id);
          return id;
        },
      ),
    );
    expect(await as('runs.diff', await server.call(`/api/runs/${a!}/diff/${b!}`))).toMatchObject({
      compared: 4,
      same: 4,
      otherContent: 1,
      flipped: [],
    });
    expect((await server.call(`/api/runs/${a!}/diff/run-unknown`)).status).toBe(404);
  });

  test('tells who listens to the news that it has ended', async () => {
    const stop = new AbortController();
    const response = await server.call('/api/events', { signal: stop.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const { id } = await started({ job: 'moderation', name: 'told' }, [
      { name: 'items.jsonl', content: jsonLines(notes.slice(0, 1)) },
    ]);
    let text = '';
    while (!text.includes('run-ended')) text += (await reader.read()).value ?? '';
    const item = JSON.parse(/data: (\{"type":"run-ended".*\})/.exec(text)![1]!) as Extract<
      FeedEvent,
      { type: 'run-ended' }
    >;
    expect(item.run).toEqual({ id, name: 'told', job: 'moderation', state: 'finished', problem: null });
    stop.abort();
  });
});

describe('a run is refused', () => {
  const good = { name: 'items.jsonl', content: jsonLines(notes.slice(0, 1)) };
  test.each<[string, Record<string, string>, { name: string; content: string }[], number, string]>([
    ['without a file', { job: 'moderation' }, [], 400, 'bad-upload'],
    ['of an unknown job', { job: 'poetry' }, [good], 400, 'bad-request'],
    ['with a field that nobody knows', { job: 'moderation', root: '/' }, [good], 400, 'bad-request'],
    [
      'that maps a field that items do not have',
      { job: 'moderation', map: '{"headline":"a"}' },
      [good],
      400,
      'bad-request',
    ],
    ['whose labels mean nothing', { job: 'moderation', labels: '{"a":"perhaps"}' }, [good], 400, 'bad-request'],
    ['whose map is no JSON', { job: 'moderation', map: 'text=comment' }, [good], 400, 'bad-request'],
    [
      'of a CSV without the column',
      { job: 'moderation' },
      [{ name: 'a.csv', content: 'a,b\n1,2\n' }],
      422,
      'unknown-column',
    ],
  ])('%s', async (_, fields, files, status, code) => {
    const before = await foldersOfRuns();
    const response = await server.call('/api/runs', { method: 'POST', body: formOf(fields, files) });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
    expect(await foldersOfRuns()).toEqual(before);
    expect(await readdir(path.join(server.home, 'server', 'uploads'))).toEqual([]);
  });

  test('that is not a form, or larger than allowed, while it is sent', async () => {
    expect((await server.call('/api/runs', { json: { job: 'moderation' } })).status).toBe(415);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(
          Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'),
        ),
      pull(controller) {
        sent += 65_536;
        if (sent > 500_000_000) controller.close();
        else controller.enqueue(Buffer.alloc(65_536, 'x'));
      },
    });
    const response = await fetch(`${server.url}/api/runs`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: endless,
      duplex: 'half',
    }).catch((error: unknown) => error as Error);
    // A client that goes on sending may find the connection closed before it reads the answer.
    if (response instanceof Response)
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'upload-too-large']);
    // What is not sent is in nobody's memory.
    expect(sent).toBeLessThan(50_000_000);
    await expect.poll(() => readdir(path.join(server.home, 'server', 'uploads'))).toEqual([]);
    expect((await server.call('/healthz')).status).toBe(200);
  });

  test.each(['', '/events', '/items', '/export', '/diff/other'])(
    'when it is asked for at %s and unknown',
    async (rest) => {
      const response = await server.call(`/api/runs/run-unknown${rest}`);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'unknown-run']);
    },
  );
});
