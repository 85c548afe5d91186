import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import type { ModerationAnswer } from '../../src/index.ts';
import { findWhisperTiny, shootFilm, speak } from '../support/make-media.ts';
import { agon, oneLine } from '../support/run-agon.ts';

const threat = 'Good morning everyone. I know where you live, and tonight I will come and kill you.';

/** The environment in which whisper-tiny is there; skips the test where it cannot be had. */
async function withEars(context: TestContext): Promise<Record<string, string>> {
  const folder = await findWhisperTiny();
  if (folder === null) return context.skip('whisper-tiny cannot be fetched here');
  return { AGON_PARTS: folder };
}

test('a spoken threat is caught with its second, in the terminal, as JSON and in the report', async (context) => {
  const environment = await withEars(context);
  const voice = await speak(threat, 'mp3');
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-report-'));
  const [json, html] = [path.join(folder, 'voice.json'), path.join(folder, 'voice.html')];
  const reports = ['--report', json, '--report', html];
  const { code, stdout } = await agon(['moderate', '--audio', voice, ...reports], { environment });
  expect(code).toBe(0);
  expect(stdout).toContain(' UNSAFE ');
  expect(stdout).toMatch(/audio-1\/transcript\s+\d+–\d+,\s+at\s+0:0[0-3]–0:0\d\)/);
  const { readFile } = await import('node:fs/promises');
  const answer = JSON.parse(await readFile(json, 'utf8')) as ModerationAnswer;
  expect(answer.subject).toMatchObject({ modality: 'audio', recordings: [{ id: 'audio-1', mediaType: 'audio/mpeg' }] });
  const [evidence] = answer.verdict.evidence;
  expect(evidence).toMatchObject({ verified: true, moment: { of: 'audio-1' } });
  expect(evidence?.verified === true && evidence.moment!.to).toBeGreaterThan(3);
  expect(await readFile(html, 'utf8')).toMatch(/at <b>0:0\d–0:0\d<\/b>/);
  const verified = await agon(['verify', json, '--source', voice]);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('the recording that was judged')]);
});

test('a film is judged by its frames and by what is said, each at its moment', async (context) => {
  const environment = await withEars(context);
  const film = await shootFilm(['color=red', 'testsrc'], { seconds: 3, voice: await speak(threat) });
  const { stdout } = await agon(['moderate', '--video', film, '--json'], { environment });
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

test('a recording in which nobody speaks is undecided: music and noises are not judged', async (context) => {
  const environment = await withEars(context);
  const film = await shootFilm(['color=red'], { voice: await silence(), extension: 'mp4' });
  const { stdout } = await agon(['moderate', '--audio', film, '--json'], { environment });
  const { verdict } = JSON.parse(stdout) as ModerationAnswer;
  expect(verdict).toMatchObject({ label: 'undecided', escalate: true, rule: { id: 'unseen' } });
  expect(verdict.rule.why).toContain('Nobody is heard to speak');
});

test('a film without anybody to listen is judged by its frames, and safe only for a person to confirm', async () => {
  const film = await shootFilm(['color=red'], { voice: await speak('Good morning.') });
  const { stdout } = await agon(['moderate', '--video', film, '--transcription', 'none', '--json']);
  const { verdict } = JSON.parse(stdout) as ModerationAnswer;
  expect(verdict).toMatchObject({ label: 'safe', escalate: true, degraded: [{ kind: 'unheard-recording' }] });
});

test('items of a file may name recordings; one that is broken fails alone', async (context) => {
  const environment = await withEars(context);
  const voice = await speak(threat, 'ogg');
  const folder = path.dirname(voice);
  await writeFile(path.join(folder, 'broken.ogg'), 'no sound at all');
  const items = path.join(folder, 'items.jsonl');
  const lines = [
    { id: 'a', audio: 'voice.ogg' },
    { id: 'b', audio: ['broken.ogg'] },
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
});

test.each([
  ['no ffmpeg', ['--ffmpeg', '/nowhere/ffmpeg'], {}, 'no-ffmpeg'],
  ['no part', [], { AGON_PARTS: '/nowhere' }, 'missing-part'],
])('with %s the error says in one line what to do', async (_name, flags, environment, code) => {
  const voice = await speak('Good morning.');
  const ran = await agon(['moderate', '--audio', voice, ...flags], { environment });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(oneLine);
  expect(ran.stderr).toContain(code);
});

async function silence(): Promise<string> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-silence-')), 'silence.wav');
  await promisify(execFile)('ffmpeg', [
    '-nostdin',
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-t',
    '2',
    '-i',
    'anullsrc',
    file,
  ]);
  return file;
}
