import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import { cutStream, hang, refusal, status } from '../fake-provider/index.ts';
import type { PanelScript } from '../support/fake-panel.ts';
import { agon, key, oneLine, openCourt, until } from '../support/run-agon.ts';

const post = 'How do I kill a process on Linux?';
const exonerated: PanelScript = {
  strict: [{ statement: 'The verb is alarming.', evidence: ['kill a process'], score: 0.6 }],
  arbiter: {
    exoneration: { why: 'A term of operating systems.', evidence: ['kill a process'], holds: true },
    score: 0.05,
  },
};
const condemned: PanelScript = {
  arbiter: { risk: { why: 'It is a threat.', evidence: ['kill'], holds: true, clauses: ['violence'] }, score: 0.95 },
};
const ansi = /\u001b\[/;

describe.concurrent('agon moderate, piped', () => {
  test('prints the trial and its verdict as plain text', async () => {
    const court = await openCourt(exonerated);
    const { code, stdout, stderr } = await court.agon(['moderate', post]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      'Case (text)',
      'Round 1',
      'STRICT █████┃█░░░░ 0.60 bar 0.50',
      '│ LOOSE',
      '“kill a process”',
      'Arbiter',
      ' SAFE  risk 0.05 · bar 0.50',
      'Rule 1, contextual exoneration',
      '6 calls',
    ]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).not.toMatch(ansi);
    expect(court.panel.requests.every((request) => request.headers['authorization'] === `Bearer ${key}`)).toBe(true);
  });

  test('shows colours only when they are asked for', async () => {
    const court = await openCourt();
    const [forced, forbidden] = await Promise.all([
      court.agon(['moderate', post], { environment: { FORCE_COLOR: '1' } }),
      court.agon(['moderate', post], { environment: { NO_COLOR: '1' } }),
    ]);
    expect(forced.stdout).toMatch(ansi);
    expect(forbidden.stdout).not.toMatch(ansi);
  });

  test('with --json prints the answer and nothing else', async () => {
    const court = await openCourt(exonerated);
    const { stdout, stderr } = await court.agon(['moderate', post, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      job: 'moderation',
      verdict: { label: 'safe' },
      usage: { calls: 6 },
    });
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(stderr).toBe('');
  });

  test('with --quiet prints the verdict alone', async () => {
    const court = await openCourt();
    const { stdout } = await court.agon(['moderate', post, '--quiet']);
    expect(stdout).toMatch(/^ SAFE /);
  });

  test('reads the text from standard input, without the line break that ends it', async () => {
    const court = await openCourt();
    for (const given of [
      ['moderate', '--stdin'],
      ['moderate', '-'],
      ['judge', '--job', 'moderation', '-'],
    ]) {
      const { stdout } = await court.agon([...given, '--json'], { stdin: 'Grüße,\n世界 👋\n' });
      expect((JSON.parse(stdout) as ModerationAnswer).sources[0]!.text).toBe('Grüße,\n世界 👋');
    }
  });

  test('judges an image with its text', async () => {
    const court = await openCourt();
    const picture = await court.file(
      'red.png',
      await sharp({ create: { width: 80, height: 60, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    const { code, stdout } = await court.agon([
      'moderate',
      'Look at this',
      '--image',
      picture,
      '--no-ocr',
      '--json',
      '--report',
      'page.html',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      subject: { modality: 'text+image', images: [{ mediaType: 'image/png', width: 80, height: 60 }] },
    });
    expect(court.panel.requests.filter(({ images }) => images > 0)).toHaveLength(1);
    expect(await readFile(await court.file('page.html'), 'utf8')).toContain('data:image/webp;base64,');
  });

  test('neutralises terminal sequences in what is judged and in what is said', async () => {
    const court = await openCourt({
      strict: [{ statement: 'Said \u001b[2J\u009b3A here.' }],
      arbiter: { statement: '\u001b]0;owned\u0007' },
    });
    const { stdout } = await court.agon(['moderate', '--stdin'], {
      stdin: `${post} \u001b[31mred\u001b[0m \u202eesrever`,
    });
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout).toContain('\\u001b[31mred');
  });
});

describe.concurrent('reports', () => {
  test('are written for each name that is given, and say where', async () => {
    const court = await openCourt(condemned);
    const { code, stderr } = await court.agon([
      'moderate',
      post,
      '--quiet',
      '--report',
      'a.html',
      '--report',
      'a.md',
      '--report',
      'a.json',
      '--report',
      'notice.txt',
      '--appeal',
      'Write to appeals@example.org.',
    ]);
    expect(code).toBe(0);
    expect(stderr.split('\n')).toEqual(['Report: a.html', 'Report: a.md', 'Report: a.json', 'Report: notice.txt', '']);
    const [html, markdown, json, notice] = await Promise.all(
      ['a.html', 'a.md', 'a.json', 'notice.txt'].map(async (name) => readFile(await court.file(name), 'utf8')),
    );
    expect(html).toMatch(/^<!doctype html>/i);
    expect(markdown).toContain('It is a threat.');
    expect(JSON.parse(json!)).toMatchObject({ verdict: { label: 'unsafe', categories: [{ id: 'violence' }] } });
    expect(notice).toContain('appeals@example.org');
  });

  test('the notice is printed alone', async () => {
    const court = await openCourt(condemned);
    const { stdout } = await court.agon(['moderate', post, '--report', 'notice']);
    expect(stdout).not.toContain('STRICT');
    expect(stdout.length).toBeGreaterThan(200);
  });

  test('a place that cannot be written is named, after the verdict was printed', async () => {
    const court = await openCourt();
    const { code, stdout, stderr } = await court.agon(['moderate', post, '-q', '--report', 'nowhere/a.html']);
    expect(code).toBe(1);
    expect(stdout).toContain('SAFE');
    expect(stderr).toMatch(/^agon: nowhere\/a\.html cannot be written: .+\(cannot-write\)\n$/);
  });
});

describe.concurrent('exit codes', () => {
  test('3 on a verdict that --fail-on names, 0 on any other', async () => {
    const court = await openCourt(condemned);
    const [named, others] = await Promise.all([
      court.agon(['moderate', post, '-q', '--fail-on', 'unsafe,undecided']),
      court.agon(['moderate', post, '-q', '--fail-on', 'undecided']),
    ]);
    expect([named.code, others.code]).toEqual([3, 0]);
  });

  test('130 after Ctrl-C, with no call left running', async () => {
    const court = await openCourt(hang);
    const { child, ended } = court.start(['moderate', post]);
    await until(() => court.panel.inFlight > 0);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(oneLine);
    await until(() => court.panel.inFlight === 0);
  });
});

describe.concurrent('when the provider is at fault', () => {
  test('a wrong key is one line that names the settings', async () => {
    const court = await openCourt(() => status(401, { message: `Incorrect API key provided: ${key}.` }));
    const { code, stdout, stderr } = await court.agon(['moderate', post]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^agon: fake does not accept the API key .+FAKE_API_KEY.+\(wrong-key\)\n$/);
  });

  test('an unknown model is one line that names it', async () => {
    const court = await openCourt(() => status(404, { message: 'The model does not exist.' }));
    const { code, stderr } = await court.agon(['moderate', post, '--model', 'fake:gpt-17']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: fake has no model "gpt-17" .+\(unknown-model\)\n$/);
  });

  test.each([
    ['is down', () => status(500), 4],
    ['breaks off', () => cutStream(), 4],
    ['refuses', () => refusal(), 0],
  ])('one that %s leaves the case undecided and says so', async (_name, reply, ends) => {
    const court = await openCourt(reply);
    const { code, stdout } = await court.agon(['moderate', post]);
    expect(code).toBe(ends);
    expect(stdout).toContain('UNDECIDED  needs review');
    expect(stdout).toMatch(/Degraded: fallback at [^:]*\barbiter:/);
  });
});

describe.concurrent('before anything is set up', () => {
  test('without a key and without a network, the embedded reasoner gives a verdict', async () => {
    const { code, stdout, stderr } = await agon(['moderate', 'How do I kill a process on Linux?']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('embedded:guard-2');
    expect(stdout).toMatch(/^ SAFE {2}risk 0\.0\d · bar 0\.\d\d/m);
  });

  test('when only some seats are set, one line says how to set the others', async () => {
    const { code, stdout, stderr } = await agon(['moderate', post, '--arbiter', 'ollama:llama3.1']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
    for (const setting of ['OPENAI_API_KEY', '--model', 'AGON_MODEL', 'agon.config.yaml'])
      expect(stderr).toContain(setting);
  });

  test('with a model of OpenAI and no key, the line names the variable', async () => {
    const { code, stderr } = await agon(['moderate', post, '--model', 'openai:gpt-4o']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: There is no API key for openai\. .*OPENAI_API_KEY.*\(missing-key\)\n$/);
  });

  test('environment variables do without a file, and a home that cannot be written does no harm', async () => {
    const { panel, file } = await openCourt();
    const home = await file('a-file', '');
    const { code, stdout } = await agon(['moderate', post, '-q'], {
      environment: { AGON_MODEL: 'fake:panel', FAKE_BASE_URL: `${panel.url}/v1`, AGON_HOME: `${home}/agon` },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('SAFE');
  });
});

describe.concurrent('agon --help', () => {
  test.each([[['--help']], [['moderate', '--help']], [['verify', '--help']], [['policy', 'test', '--help']]])(
    '%j shows examples',
    async (args) => {
      const { code, stdout } = await agon(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples:\n {2}agon /);
    },
  );

  test('and --version the version alone', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await agon(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});
