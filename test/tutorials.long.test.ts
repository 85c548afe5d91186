import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { afterEach, describe, expect, test } from 'vitest';
import { findFreePort } from './support/find-free-port.ts';
import { leastEnvironment } from './support/least-environment.ts';
import { launcher } from './support/run-agon.ts';
import { sampleCases } from './support/slow.ts';

/*
 * The tutorials, followed to the letter in an empty folder: blocks with a file's name are written, blocks of `sh` are
 * run line by line. `# exit code 3` tells what a line ends with; `no-run` needs a key.
 */

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'docs', 'tutorials');
const left: ChildProcess[] = [];

afterEach(() => {
  for (const child of left.splice(0)) if (child.pid !== undefined) process.kill(-child.pid);
});

function readBlocks(file: string) {
  return fromMarkdown(readFileSync(path.join(folder, file), 'utf8')).children.flatMap((node) =>
    node.type === 'code' ? [{ language: node.lang ?? '', title: node.meta ?? '', text: node.value }] : [],
  );
}

/** An empty folder in which `agon` is installed, as a command and as a package. */
function openFolder() {
  const place = mkdtempSync(path.join(tmpdir(), 'agon-tutorial-'));
  const commands = path.join(place, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  mkdirSync(path.join(place, 'node_modules', '@agonhq'));
  symlinkSync(root, path.join(place, 'node_modules', '@agonhq', 'agon'));
  writeFileSync(path.join(commands, 'agon'), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`, {
    mode: 0o755,
  });
  const environment = {
    ...leastEnvironment(),
    AGON_HOME: path.join(place, 'home'),
    PATH: `${commands}:${path.dirname(process.execPath)}:${process.env['PATH']}`,
  };
  return { place, environment };
}

async function runLine(line: string, { place, environment }: ReturnType<typeof openFolder>, port: number) {
  const inBackground = line.endsWith('&');
  const command = line.replace(/\s*&$/, '').replaceAll('npx agon', 'agon').replaceAll('4100', String(port));
  const child = spawn('bash', ['--noprofile', '--norc', '-c', command], {
    cwd: place,
    env: environment,
    detached: inBackground,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  if (inBackground) {
    left.push(child);
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
    return { code: 0, said };
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, said };
}

/** What a reader is promised to see. */
const promised: Record<string, Record<string, RegExp>> = {
  'moderation-team.md': {
    'kill you tonight': /UNSAFE/,
    'runs show first': /3 judged/,
    'policy test policy.yaml':
      /(?:recognises \d of 4 violations that it had not seen\.\n[^]*){2}Every clause catches its examples\.\n$/,
    'runs impact': /1 safe → unsafe(?![^]*scores do not depend)/,
    '--policy policy.yaml': /tickets\.sale|UNSAFE/,
    '--report notice': /appeals@example\.com/,
  },
  'llm-evaluator.md': {
    'Nobody would miss you': /UNSAFE/,
    'bench evaluation --data labelled.jsonl --eval': /debate .*1\.000 .*0\.510–1\.000/,
    '--fail-on unsafe': /1 unsafe|3 judged before|findings\.sarif/,
  },
  'analyst.md': {
    'trace.html': /[Cc]ontradicted/,
    '--quiet': /^4 claims: (?![^]*(?:Outlook|number check))/,
    'verify answer.json': /seal|hold/i,
  },
  'integrator.md': {
    'judge.mjs': /^safe .*\nunsafe /,
    '/v1/moderations': /"flagged":true/,
    'client.mjs': /^mod-\w+ unsafe/,
    'guarded.mjs': /^200\n403\n/,
  },
};

describe.each(sampleCases(readdirSync(folder).toSorted(), 4))('%s', (file) => {
  test('does what it says', { timeout: 300_000 }, async () => {
    const here = openFolder();
    const port = await findFreePort();
    const unseen = new Map(Object.entries(promised[file]!));
    for (const { language, title, text } of readBlocks(file)) {
      if (title === 'no-run') continue;
      if (language !== 'sh') {
        writeFileSync(path.join(here.place, title), `${text.replaceAll('4100', String(port))}\n`);
        continue;
      }
      for (const line of text.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
        const { code, said } = await runLine(line, here, port);
        expect({ line, code, said }).toMatchObject({ code: Number(/# exit code (\d+)/.exec(line)?.[1] ?? 0) });
        for (const [part, words] of unseen)
          if (line.includes(part)) {
            expect(said, line).toMatch(words);
            unseen.delete(part);
          }
      }
    }
    expect([...unseen.keys()]).toEqual([]);
    // Nothing that it leaves in the folder stands in the way of the next command.
    expect(await runLine('npx agon moderate "Thank you!"', here, port)).toMatchObject({ code: 0 });
  });
});
