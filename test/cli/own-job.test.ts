import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { agon, oneLine, type Ran } from '../support/run-agon.ts';

/* The example job over real commands, in a folder where nothing is installed. */

const example = path.join(import.meta.dirname, '../../examples/own-job/merge-job.ts');
const source = readFileSync(example, 'utf8');
const unready = JSON.stringify({ title: 'Log in', diff: '+const password = "hunter2";' });

/** A folder with the job, and commands in it with a ledger of their own. */
function openFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-own-job-'));
  cpSync(example, path.join(folder, 'merge-job.ts'));
  const environment = { AGON_HOME: folder, AGON_LEDGER: path.join(folder, 'ledger.sqlite') };
  return {
    read: (name: string) => readFileSync(path.join(folder, name), 'utf8'),
    write(name: string, text: string) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    },
    agon: (...args: string[]) => agon(args, { cwd: folder, environment }),
  };
}

// Commands of a file share a process, which keeps the jobs that it knows: each entry has a job of its own.
describe.each([
  { entry: '--job', id: 'merge', settings: null, named: './merge-job.ts', module: ['--job', './merge-job.ts'] },
  { entry: 'a config entry', id: 'pull', settings: 'jobs: [jobs/pull.ts]\n', named: 'pull', module: [] },
])('a job by $entry', ({ id, settings, named, module }) => {
  const { agon: run, read, write } = openFolder();
  if (settings !== null) {
    write('agon.config.yaml', settings);
    write('jobs/pull.ts', source.replace("id: 'merge'", "id: 'pull'"));
  }
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code, stderr).toBe(0);
    return stdout;
  };

  test('is judged, listed, shown, reported, verified, replayed, appealed and run over a file', async () => {
    const judged = await succeed('judge', '--job', named, unready, '--json', '--report', 'verdict.html');
    const answer = JSON.parse(judged) as { id: string; job: string; verdict: object };
    expect(answer).toMatchObject({ job: id, verdict: { label: 'hold', rule: { id: 'blocker' } } });
    expect(read('verdict.html')).toContain('hunter2');
    expect(await succeed('cases', '--job', named)).toContain(answer.id);
    expect(await succeed('show', answer.id, ...module)).toMatch(/REVIEWER[^]+HOLD/);
    await succeed('show', answer.id, ...module, '--report', 'case.md', '--report', 'answer.json');
    expect(read('case.md')).toContain('# Verdict: `hold`');
    expect(await succeed('verify', 'answer.json', ...module)).toMatch(/rules +hold by blocker\nThe answer is valid/);
    const held = async (how: string) => JSON.parse(await succeed(how, answer.id, ...module, '--json')) as object;
    expect(await held('replay')).toMatchObject({ how: 'replay', flipped: false, differences: [] });
    expect(await held('appeal')).toMatchObject({ how: 'appeal', flipped: false });

    write('forged.json', judged.replace('"label":"hold"', '"label":"merge"'));
    expect(await run('verify', 'forged.json', ...module)).toMatchObject({ code: 1 });
    write('items.jsonl', `${unready}\n${JSON.stringify({ id: 'b', title: 'Greet', diff: '+hello()' })}\n`);
    await succeed('run', 'items.jsonl', '--job', named, '--out', 'results.jsonl', '--quiet');
    const results = read('results.jsonl').trim().split('\n');
    expect(results.map((line) => JSON.parse(line) as object)).toMatchObject([
      { result: { id: answer.id, verdict: { label: 'hold' } } },
      { key: 'b', result: { verdict: { label: 'merge' } } },
    ]);
  }, 60_000);

  test('refuses an input that its schema does not take, and says what it takes', async () => {
    expect(await run('judge', '--job', named, '{"title":"No diff"}')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/diff.+An item has "title", .+\(broken-line\)\n$/),
    });
  });
});

describe('what is wrong with a job is said in one line, with a code and what to do', () => {
  const { agon: run, write } = openFolder();
  const decides = (body: string) => source.replace('decide(transcript) {', `decide(transcript) { ${body}`);
  test.each([
    ['is not there', null, /there is no such file.+\(unreadable-job\)/],
    ['has a syntax error', 'export default {', /cannot be loaded: .+\(unreadable-job\)/],
    ['imports what is not there', "import 'nowhere';", /Cannot find package 'nowhere'.+\(unreadable-job\)/],
    ['throws', 'throw null;', /cannot be loaded: null.+\(unreadable-job\)/],
    ['has no default export', 'export const job = 1;', /does not export a job by default.+\(unreadable-job\)/],
    ['exports another thing', "export default { id: 'x', title: 'X' };", /does not export a job.+\(unreadable-job\)/],
    ['has the id of another', source.replace("'merge'", "'moderation'"), /a job moderation already.+\(duplicate-job\)/],
    ['has an id that is none', source.replace("'merge'", "'../x'"), /the id "..\/x".+\(unreadable-job\)/],
    ['fails as it decides', decides("throw new Error('oops');"), /decide threw Error: oops.+\(failed-job\)/],
    [
      'gives a label that it does not have',
      decides("return { label: 'nope', score: 1, rule: { id: 'a', why: 'b' } };"),
      /"nope".+\(failed-job\)/,
    ],
    ['has a program that fails', source.replace('addedLines(question).slice', 'none'), /advocate.+\(failed-job\)/],
  ])('one that %s', async (name, text, message) => {
    const file = `${name.replaceAll(' ', '-')}.ts`;
    // Each under an id of its own, where the mistake is not in the id.
    if (text !== null) write(file, text.replace("id: 'merge'", `id: '${name.replaceAll(' ', '-')}'`));
    for (const args of [
      ['judge', '--job', `./${file}`, unready],
      ...(String(message).includes('failed-job') ? [] : [['serve', '--config', './agon.config.json']]),
    ]) {
      write('agon.config.json', JSON.stringify({ jobs: [file] }));
      const { code, stderr }: Ran = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).toMatch(oneLine);
    }
  });
});
