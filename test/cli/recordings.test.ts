import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import type { ExportedRecord } from '@agonhq/core/runs';
import { mediaFile, withSpeechModel } from '../support/media.ts';
import { testWithPrograms } from '../support/programs.ts';
import { agon, oneLine, openCourt, until } from '../support/run-agon.ts';
import { slowTest } from '../support/slow.ts';

const voice = mediaFile('threat.mp3');

testWithPrograms('a spoken threat is caught with its second, in text, as JSON and in the report', async (context) => {
  const environment = await withSpeechModel(context);
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-report-'));
  const [json, html] = [path.join(folder, 'voice.json'), path.join(folder, 'voice.html')];
  const reports = ['--report', json, '--report', html];
  const { code, stdout } = await agon(['moderate', '--audio', voice, ...reports], { environment });
  expect(code).toBe(0);
  expect(stdout).toContain(' UNSAFE ');
  expect(stdout).toMatch(/audio-1\/transcript\s+\d+–\d+,\s+at\s+0:0[0-3]–0:0\d\)/);
  const answer = JSON.parse(await readFile(json, 'utf8')) as ModerationAnswer;
  expect(answer.subject).toMatchObject({ modality: 'audio', recordings: [{ id: 'audio-1', mediaType: 'audio/mpeg' }] });
  const [evidence] = answer.verdict.evidence;
  expect(evidence).toMatchObject({ verified: true, moment: { of: 'audio-1' } });
  expect(evidence?.verified === true && evidence.moment!.to).toBeGreaterThan(3);
  expect(await readFile(html, 'utf8')).toMatch(/at <a href="#moment-audio-1-\d+">0:0\d–0:0\d<\/a>/);
  const verified = await agon(['verify', json, '--source', voice]);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('the recording that was judged')]);
});

slowTest('a film is judged by its frames and by what is said, each at its moment', async (context) => {
  const environment = await withSpeechModel(context);
  const { stdout } = await agon(['moderate', '--video', mediaFile('threat.mp4'), '--json'], { environment });
  const { subject, verdict, sources } = JSON.parse(stdout) as ModerationAnswer;
  expect(subject.modality).toBe('video');
  expect(subject.images.map(({ frame }) => [frame?.of, Math.round(frame!.second)])).toEqual([
    ['video-1', 0],
    ['video-1', 3],
  ]);
  expect(sources.map(({ id }) => id)).toContain('video-1/frame-2/description');
  expect(verdict.label).toBe('unsafe');
  expect(verdict.evidence[0]).toMatchObject({ source: 'video-1/transcript', moment: { of: 'video-1' } });
});

testWithPrograms('a recording in which nobody speaks is undecided: noises are not judged', async (context) => {
  const environment = await withSpeechModel(context);
  const { stdout } = await agon(['moderate', '--audio', mediaFile('quiet.mp4'), '--json'], { environment });
  const { verdict } = JSON.parse(stdout) as ModerationAnswer;
  expect(verdict).toMatchObject({ label: 'undecided', escalate: true, rule: { id: 'unseen' } });
  expect(verdict.rule.why).toContain('Nobody is heard to speak');
});

slowTest(
  'a film without anybody to listen is judged by its frames, and safe only for a person to confirm',
  async () => {
    const film = mediaFile('greeting.mp4');
    const { stdout } = await agon(['moderate', '--video', film, '--transcription', 'none', '--json']);
    const { verdict } = JSON.parse(stdout) as ModerationAnswer;
    expect(verdict).toMatchObject({ label: 'safe', escalate: true, degraded: [{ kind: 'unheard-recording' }] });
  },
);

testWithPrograms('items of a file may name recordings; one that is broken fails alone', async (context) => {
  const environment = await withSpeechModel(context);
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-items-'));
  await copyFile(voice, path.join(folder, 'voice.mp3'));
  await writeFile(path.join(folder, 'broken.mp3'), 'no sound at all');
  const items = path.join(folder, 'items.jsonl');
  const lines = [
    { id: 'a', audio: 'voice.mp3' },
    { id: 'b', audio: ['broken.mp3'] },
    { id: 'c', video: '../clip.mp4' },
  ];
  await writeFile(items, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { stdout, stderr } = await agon(['moderate', '--file', items, '--concurrency', '1'], { environment });
  const [first] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toMatchObject({ key: 'a' });
  expect(stdout).toContain('"label":"unsafe"');
  expect(stdout + stderr).toContain('unsupported-media');
  expect(stdout + stderr).toMatch(
    /The image or recording \.\.\/clip\.mp4 lies outside .*holds every image or recording\./,
  );
});

slowTest(
  'a run judges the recordings that its items name, is resumed after a kill, and finds one that came later',
  async (context) => {
    const court = await openCourt({ latencyMs: 100 });
    const options = { environment: { ...(await withSpeechModel(context)), AGON_LEDGER: 'ledger.sqlite' } };
    await mkdir(path.join(court.folder, 'calls'));
    await copyFile(voice, path.join(court.folder, 'calls', 'first.mp3'));
    await copyFile(mediaFile('greeting.mp4'), await court.file('clip.mp4'));
    const lines = [
      { id: 'sound', audio: 'calls/first.mp3' },
      { id: 'absent', audio: ['calls/later.mp3'] },
      { id: 'outside', video: '../clip.mp4' },
      { id: 'film', text: 'Look at this', video: ['clip.mp4'] },
      { id: 'text', text: 'Good morning.' },
    ];
    await court.file('items.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const records = async () =>
      (await readFile(await court.file('out.jsonl'), 'utf8').catch(() => ''))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ExportedRecord);

    const args = ['run', 'moderation', '--file', 'items.jsonl', '--name', 'night'];
    const { child, ended } = court.start([...args, '--out', 'out.jsonl', '--concurrency', '1'], options);
    await until(async () => (await records()).length > 0, 45);
    child.kill('SIGKILL');
    await ended;
    const [first] = await records();
    expect(first).toMatchObject({ key: 'sound', result: { subject: { modality: 'audio' } } });

    const resumed = await court.agon(['runs', 'resume', 'night', '--out', 'out.jsonl'], options);
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toMatch(/^2 items failed: .*1 media-not-found/m);
    expect(await records()).toMatchObject([
      { key: 'sound', result: { id: (first as { result: { id: string } }).result.id } },
      {
        key: 'absent',
        error: { code: 'media-not-found', message: expect.stringMatching(/^There is no file .*later\.mp3\.$/) },
      },
      { key: 'outside', error: { code: 'path-outside-root', message: expect.stringContaining('../clip.mp4') } },
      { key: 'film', result: { subject: { modality: 'video', recordings: [{ id: 'video-1' }] } } },
      { key: 'text', result: { subject: { modality: 'text' } } },
    ]);
    const judgedFirst = court.panel.requests.filter(({ body }) => JSON.stringify(body).includes('audio-1/transcript'));
    expect(judgedFirst).toHaveLength(6);

    await copyFile(voice, path.join(court.folder, 'calls', 'later.mp3'));
    const retried = await court.agon(['runs', 'retry-failed', 'night', '-q'], options);
    expect(retried.stderr).not.toContain('media-not-found');
    const exported = await court.agon(['runs', 'export', 'night'], options);
    expect(exported.stdout.split('\n')[1]).toMatch(/^\{"line":2,"key":"absent",.*"modality":"audio"/);
  },
);

test('without ffmpeg the error says in one line what to do', async () => {
  const { code, stderr } = await agon(['moderate', '--audio', voice, '--ffmpeg', '/nowhere/ffmpeg']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(stderr).toContain('no-ffmpeg');
});

testWithPrograms('without a speech model it does, too', async () => {
  const { code, stderr } = await agon(['moderate', '--audio', voice], { environment: { AGON_PARTS: '/nowhere' } });
  expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(stderr).toContain('missing-part');
});
