import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, type TestContext } from 'vitest';
import { mediaFile, withSpeechModel } from '@agonhq/test/support/media.ts';
import { describeWithPrograms, testWithPrograms } from '@agonhq/test/support/programs.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';
import { slowTest } from '@agonhq/test/support/slow.ts';
import { readAnswer } from '@agonhq/engine/debate';
import { verifyAnswer, type ModerationAnswer } from '@agonhq/judges/moderation';
import type { Settings } from '@agonhq/core/settings';

const open = new Set<ServerUnderTest>();
afterEach(async () => {
  for (const server of open) await server[Symbol.asyncDispose]();
  open.clear();
});

async function opened(settings: Settings, environment: Record<string, string> = {}): Promise<ServerUnderTest> {
  const server = await runningServer(settings, { environment });
  open.add(server);
  return server;
}

/** A server that hears; skips the test where whisper-tiny cannot be had. */
async function serverWithSpeech(context: TestContext): Promise<ServerUnderTest> {
  return opened({}, await withSpeechModel(context));
}

const inBase64 = async (name: string) => (await readFile(mediaFile(name))).toString('base64');

/** The problem that a request is answered with. */
async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem['status']).toBe(response.status);
  return problem;
}

describeWithPrograms('a server that hears', () => {
  test('judges a spoken threat, says when it is said, and keeps answer, report and recording', async (context) => {
    const server = await serverWithSpeech(context);
    const data = await inBase64('threat.mp3');
    const json = { id: 'call-7', audio: [{ data, name: 'voice.mp3' }] };
    const response = await server.call('/api/jobs/moderation/cases', { json });
    expect(response.status).toBe(200);
    const text = await response.text();
    const answer = JSON.parse(text) as ModerationAnswer;
    expect(answer).toMatchObject({
      subject: {
        id: 'call-7',
        modality: 'audio',
        recordings: [{ id: 'audio-1', kind: 'audio', mediaType: 'audio/mpeg' }],
      },
      verdict: { label: 'unsafe' },
    });
    const [evidence] = answer.verdict.evidence;
    expect(evidence).toMatchObject({ source: 'audio-1/transcript', verified: true, moment: { of: 'audio-1' } });
    const { from, to } = evidence!.verified ? evidence!.moment! : { from: 0, to: 0 };
    expect(from).toBeLessThan(to);
    expect(to).toBeLessThanOrEqual(answer.subject.recordings![0]!.seconds + 0.1);
    const checks = verifyAnswer(readAnswer(text, 'answer.json'), {});
    expect(checks.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);

    expect(await (await server.call(response.headers.get('location')!)).json()).toEqual(answer);
    const place = `/api/cases/${answer.id}`;
    expect(await (await server.call(`${place}/report?format=html`)).text()).toMatch(
      /at <a href="#moment-audio-1-\d+">0:0\d–0:0\d<\/a>/,
    );
    const page = await (await server.call(`${place}/report?format=html`)).text();
    expect(page).toMatch(/<a href="\/api\/cases\/[^"]+\/attachments\/sha256%3A[^"]+#t=[\d.]+">0:0\d/);
    const again = (await (await server.call('/api/jobs/moderation/cases', { json })).json()) as ModerationAnswer;
    expect(again.id).toBe(answer.id);
    const { rows } = (await (await server.call('/api/cases?modality=audio')).json()) as { rows: { id: string }[] };
    expect(rows.map(({ id }) => id)).toEqual([answer.id]);

    const { hash } = answer.subject.recordings![0]!;
    const kept = await server.call(`/api/cases/${answer.id}/attachments/${hash}`);
    expect([kept.status, kept.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(kept.headers.get('content-security-policy')).toContain('sandbox');
    expect(kept.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await kept.arrayBuffer()).toString('base64')).toBe(data);
    const part = await server.call(`/api/cases/${answer.id}/attachments/${hash}`, { headers: { range: 'bytes=100-' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, expect.stringMatching(/^bytes 100-\d+/)]);
  });

  slowTest('judges a film from a data: URL by frames and words, live', async (context) => {
    const server = await serverWithSpeech(context);
    const response = await server.call('/api/jobs/moderation/cases', {
      json: { text: 'Look at this', video: [{ data: `data:video/mp4;base64,${await inBase64('threat.mp4')}` }] },
      headers: { accept: 'text/event-stream' },
    });
    const told = (await response.text()).split('\n\n').find((event) => event.includes('event: answer'))!;
    const { answer } = JSON.parse(/^data: (.*)$/m.exec(told)![1]!) as { answer: ModerationAnswer };
    expect(answer.subject).toMatchObject({ modality: 'video', recordings: [{ mediaType: 'video/mp4' }] });
    expect(answer.subject.images.map(({ frame }) => Math.round(frame!.second))).toEqual([0, 3]);
    expect(answer.verdict).toMatchObject({
      label: 'unsafe',
      evidence: expect.arrayContaining([
        expect.objectContaining({ source: 'video-1/transcript', moment: expect.objectContaining({ of: 'video-1' }) }),
      ]),
    });
  });

  slowTest('judges a recording again from the record, and forgets its sound with the case', async (context) => {
    const server = await serverWithSpeech(context);
    const data = await inBase64('threat.mp3');
    const first = await server.call('/api/jobs/moderation/cases', { json: { audio: [{ data, name: 'voice.mp3' }] } });
    const { id, subject } = (await first.json()) as ModerationAnswer;
    const place = `/api/cases/${id}`;
    const replayed = await server.call(`${place}/replays`, { json: {} });
    expect(await replayed.json()).toMatchObject({ how: 'replay', flipped: false });
    expect((await server.call(place, { method: 'DELETE' })).ok).toBe(true);
    expect((await server.call(`${place}/answer`)).status).toBe(410);
    const [recording] = subject.recordings!;
    const kept = await server.call(`${place}/attachments/${recording!.hash}`);
    expect(kept.status).toBe(404);
    const again = await problemOf(await server.call(`${place}/replays`, { json: {} }));
    expect(again['code']).toBe('forgotten-case');
  });

  slowTest('takes recordings along with a run, by the names that its items give them', async (context) => {
    const server = await serverWithSpeech(context);
    const items = [
      { id: 'spoken', audio: 'voice.mp3' },
      { id: 'absent', audio: 'nowhere.mp3' },
      { id: 'written', text: 'Good morning.' },
    ];
    const created = await server.call('/api/runs', {
      method: 'POST',
      body: formOf({ job: 'moderation', concurrency: '1' }, [
        { name: 'items.jsonl', content: jsonLines(items) },
        { name: 'voice.mp3', content: new Uint8Array(await readFile(mediaFile('threat.mp3'))) },
      ]),
    });
    const { id } = (await created.json()) as { id: string };
    expect((await runEvents(server, id)).at(-1)).toMatchObject({ data: { state: 'finished', done: 2, failed: 1 } });
    const { rows } = (await (await server.call(`/api/runs/${id}/items`)).json()) as { rows: object[] };
    expect(rows).toMatchObject([
      { key: 'spoken', result: { label: 'unsafe' } },
      { key: 'absent', error: { code: 'media-not-found', message: 'There is no file nowhere.mp3.' } },
      { key: 'written', result: { label: 'safe' } },
    ]);
  });
});

describe('a recording is refused', () => {
  test('that is too large: 413, and what its sender can do', async () => {
    const server = await opened({ moderation: { mediaMegabytes: 1 }, server: { bodyBytes: 2_000_000 } });
    const voice = await readFile(mediaFile('threat.wav'));
    const send = async (bytes: Uint8Array) =>
      problemOf(
        await server.call('/api/jobs/moderation/cases', {
          json: { audio: [{ data: Buffer.from(bytes).toString('base64'), name: 'voice.wav' }] },
        }),
      );
    expect(await send(Buffer.concat([voice, Buffer.alloc(1_000_000)]))).toMatchObject({
      status: 413,
      code: 'media-too-large',
      detail: expect.stringMatching(/^voice\.wav has 1\.\d MB; the limit is 1 MB\.$/),
      hint: expect.stringContaining('ask whoever runs the server'),
    });
    expect(await send(Buffer.alloc(2_000_000))).toMatchObject({ status: 413, code: 'body-too-large' });
  });

  testWithPrograms('that lasts too long: 413, and what its sender can do', async () => {
    const server = await opened({ moderation: { mediaSeconds: 2 } });
    const json = { audio: [{ data: await inBase64('threat.wav'), name: 'voice.wav' }] };
    expect(await problemOf(await server.call('/api/jobs/moderation/cases', { json }))).toMatchObject({
      status: 413,
      code: 'media-too-long',
      detail: expect.stringMatching(/^voice\.wav lasts \d s; at most 2 s are judged whole\.$/),
      hint: expect.stringContaining('ask whoever runs the server'),
    });
    const live = await server.call('/api/jobs/moderation/cases', { json, headers: { accept: 'text/event-stream' } });
    expect(await live.text()).toMatch(/^event: problem\ndata: .*"status":413,.*"code":"media-too-long"/m);
    const { rows } = (await (await server.call('/api/cases')).json()) as { rows: object[] };
    expect(rows).toEqual([]);
  });

  /** How a server on which nobody hears refuses a request, in a line. */
  async function openRefusing(): Promise<(json: object) => Promise<string>> {
    const server = await opened({ moderation: { transcription: 'none' } });
    return async (json) => {
      const { status, code, detail, hint } = await problemOf(await server.call('/api/jobs/moderation/cases', { json }));
      expect(`${detail as string} ${hint as string}`).not.toMatch(/--\w|\/tmp\//);
      return `${status as number} ${code as string}: ${detail as string} ${hint as string}`;
    };
  }
  const sound = (bytes: Uint8Array | string) => ({ audio: [{ data: Buffer.from(bytes).toString('base64') }] });

  testWithPrograms('that is cut, or has no sound: 422', async () => {
    const refusal = await openRefusing();
    const film = await readFile(mediaFile('red.mp4'));
    expect(await refusal(sound(film.subarray(0, 200)))).toMatch(/^422 corrupt-media: audio-1 is corrupt/);
    expect(await refusal({ audio: [{ data: await inBase64('red.mp4'), name: 'clip.mp4' }] })).toMatch(
      /^422 unsupported-media: clip\.mp4 has no sound\. .*video/,
    );
  });

  test('that is none, or is something else: 422; and 400 where the request itself is wrong', async () => {
    const refusal = await openRefusing();
    const voice = { data: await inBase64('good-morning.mp3'), name: 'voice.mp3' };

    expect(await refusal(sound('no sound at all '.repeat(50)))).toMatch(
      /^422 unsupported-media: audio-1 is no recording that can be read\. Convert audio-1 to WAV/,
    );
    expect(await refusal(sound('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'))).toMatch(/^422 unsupported-media: /);
    expect(await refusal({ video: [voice] })).toMatch(/^422 unsupported-media: voice\.mp3 is audio\/mpeg, .*audio\.$/);
    expect(await refusal({ audio: [{ data: 'A' }] })).toMatch(/^422 empty-media: audio-1 is empty\./);
    expect(await refusal({ audio: [{ data: 'not base64!' }] })).toMatch(/^400 bad-request: .*audio\.0\.data: .*base64/);
    expect(await refusal({ audio: [{ file: '/etc/passwd' }] })).toMatch(/^400 bad-request: .*audio\.0/);
    expect(await refusal({ video: Array.from({ length: 5 }, () => voice) })).toMatch(/^400 bad-request: .*video/);
    expect(await refusal({ audio: [] })).toMatch(/^422 empty-subject: /);
  });

  test('where nothing decodes it, without a word about where the server looks', async () => {
    const server = await opened({ moderation: { ffmpeg: '/nowhere/bin/ffmpeg' } });
    const json = { audio: [{ data: await inBase64('good-morning.mp3') }] };
    const problem = await problemOf(await server.call('/api/jobs/moderation/cases', { json }));
    expect(problem).toMatchObject({ status: 422, code: 'no-ffmpeg' });
    expect(JSON.stringify(problem)).not.toContain('nowhere');
  });

  testWithPrograms('where nobody can hear it, before anything is judged', async () => {
    const server = await opened({}, { AGON_PARTS: '/nowhere' });
    const json = { audio: [{ data: await inBase64('good-morning.mp3') }] };
    expect(await problemOf(await server.call('/api/jobs/moderation/cases', { json }))).toMatchObject({
      status: 422,
      code: 'missing-part',
      detail: expect.not.stringContaining('/nowhere'),
      hint: expect.not.stringContaining('--'),
    });
  });
});
