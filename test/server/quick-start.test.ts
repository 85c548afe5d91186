import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testWithPrograms } from '../support/programs.ts';
import { startServing } from '../support/served.ts';

const root = path.join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
let blocks: string[] = [];
let home: string;
let url: string;
let end: () => Promise<void>;

/** The docs' own words, at the address where a server listens. */
function blockWith(words: string, url: string): string {
  const block = blocks.find((each) => each.includes(words));
  if (block === undefined) throw new Error(`docs/commands.md has no block with ${words}.`);
  return block.replaceAll('http://127.0.0.1:4100', url);
}

beforeAll(async () => {
  const page = await readFile(path.join(root, 'docs', 'commands.md'), 'utf8');
  blocks = [...page.matchAll(/```(?:sh|js)\n(.*?)```/gs)].map((match) => match[1]!);
  home = await mkdtemp(path.join(tmpdir(), 'agon-quick-start-'));
  const served = startServing(home);
  end = served.end;
  url = await served.url;
});
afterAll(() => end());

/** Runs a program of the docs in a project that has installed Agon and OpenAI's SDK. */
async function program(code: string, folder: string): Promise<string> {
  await mkdir(path.join(folder, 'node_modules', '@agonhq'), { recursive: true });
  await symlink(root, path.join(folder, 'node_modules', '@agonhq', 'agon'));
  await symlink(path.join(root, 'node_modules', 'openai'), path.join(folder, 'node_modules', 'openai'));
  const file = path.join(folder, 'quick-start.mjs');
  await writeFile(file, code);
  try {
    return (await run(process.execPath, [file])).stdout;
  } finally {
    await rm(path.join(folder, 'node_modules'), { recursive: true });
  }
}

testWithPrograms('curl gets a verdict', async () => {
  const { stdout } = await run('sh', ['-c', blockWith('curl -s', url)]);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: { label: 'unsafe', evidence: [{ verified: true }] } });
});

test('OpenAI’s SDK gets a verdict, unchanged', async () => {
  expect(await program(blockWith('new OpenAI', url), home)).toMatch(/^true .{10,}\n$/);
});

test('the typed client gets a verdict, and hears the debate', async () => {
  const lines = (await program(blockWith('createClient(', url), home)).split('\n');
  expect(lines[0]).toMatch(/^unsafe \[/);
  expect(lines).toEqual(expect.arrayContaining(['case-ready', 'turn-end', 'answer']));
});
