import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FakeProvider } from '../fake-provider/index.ts';
import { boardroomSettings, startFakeBoardroom, type BoardScript, type FakeBoardroom } from './fake-boardroom.ts';
import { panelSettings, startFakePanel, type PanelScript } from './fake-panel.ts';
import { startFakeTribunal, tribunalSettings, type FakeTribunal, type TribunalScript } from './fake-tribunal.ts';
import { runWarm } from './warm-agon.ts';
import { leastEnvironment } from './least-environment.ts';
import { leftOver } from './left-over.ts';

export const launcher = path.join(import.meta.dirname, '..', '..', 'bin', 'agon.js');
export const key = 'sk-test-do-not-show-me-0123456789';

export interface RunOptions {
  cwd?: string;
  environment?: Record<string, string>;
  /** What comes in on standard input; it is closed at once when absent. */
  stdin?: string | Uint8Array;
}

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Starts the built command line as a user would, in a process of its own: for whoever kills it, runs two at once or
 * looks at how it starts and ends.
 */
export function startAgon(
  args: readonly string[],
  options: RunOptions & { node?: string } = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const { cwd = tmpdir(), environment = {}, stdin = '', node = process.execPath } = options;
  const child = spawn(node, [launcher, ...args], { cwd, env: bare(environment) });
  child.stdin.on('error', () => {}); // It may end without reading all of it.
  child.stdin.end(stdin);
  return { child, ended: outcomeOf(child) };
}

/**
 * Runs the built command line to its end, in a process that is warm: a cold one costs a second, nearly all of it for
 * loading.
 */
export async function agon(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = tmpdir(), environment = {}, stdin = '' } = options;
  return discreet({
    signal: null,
    ...(await runWarm({ args, cwd, environment: bare(environment), stdin: Buffer.from(stdin) })),
  });
}

/** An environment with the least in it; a test that wants a record sets AGON_LEDGER. */
function bare(environment: Record<string, string>): Record<string, string> {
  return {
    ...leastEnvironment(),
    AGON_HOME: path.join(tmpdir(), 'agon-test-home'),
    AGON_LEDGER: 'false',
    ...environment,
  };
}

/** Waits for a process to end. */
export async function outcomeOf(child: ChildProcess): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...ended) => resolve(ended));
  });
  return discreet({ code, signal, ...said });
}

/** Whatever a command said, it neither showed the key nor a stack trace. */
function discreet(ran: Ran): Ran {
  for (const text of [ran.stdout, ran.stderr]) {
    if (text.includes(key)) throw new Error(`The key is shown: ${text}`);
    if (/^\s+at .*[:(]/m.test(text) || text.includes('node:internal'))
      throw new Error(`A stack trace is shown: ${text}`);
  }
  return ran;
}

export interface Court<Provider extends FakeProvider = FakeProvider> {
  panel: Provider;
  folder: string;
  file(name: string, content?: string | Uint8Array): Promise<string>;
  agon(args: readonly string[], options?: RunOptions): Promise<Ran>;
  start(args: readonly string[], options?: RunOptions): ReturnType<typeof startAgon>;
}

/** A folder whose agon.config.json seats a fake panel, until the tests of the file are over. */
export async function openCourt(script: PanelScript | Parameters<typeof useScript>[1] = {}): Promise<Court> {
  const panel = await startFakePanel(typeof script === 'function' ? {} : script);
  if (typeof script === 'function') useScript(panel, script);
  return courtOf(panel, panelSettings(panel));
}

/** The same with a fake tribunal, which judges exchanges. */
export async function openTribunal(script: TribunalScript = {}, settings: object = {}): Promise<Court<FakeTribunal>> {
  const tribunal = await startFakeTribunal(script);
  return courtOf(tribunal, { ...tribunalSettings(tribunal), ...settings });
}

/** The same with a fake boardroom, which judges documents. */
export async function openBoardroom(script: BoardScript = {}, settings: object = {}): Promise<Court<FakeBoardroom>> {
  const boardroom = await startFakeBoardroom(script);
  return courtOf(boardroom, { ...boardroomSettings(boardroom), ...settings });
}

async function courtOf<Provider extends FakeProvider>(
  panel: Provider,
  settings: { providers: { fake: object } },
): Promise<Court<Provider>> {
  leftOver.ofFile.push(() => panel.close());
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-court-'));
  await writeFile(
    path.join(folder, 'agon.config.json'),
    JSON.stringify({ ...settings, providers: { fake: { ...settings.providers.fake, apiKey: key } } }),
  );
  return {
    panel,
    folder,
    async file(name, content) {
      const file = path.join(folder, name);
      if (content !== undefined) await writeFile(file, content);
      return file;
    },
    agon: (args, options) => agon(args, { cwd: folder, ...options }),
    start: (args, options) => startAgon(args, { cwd: folder, ...options }),
  };
}

function useScript(panel: FakeProvider, script: FakeProvider['script']): void {
  panel.script = script;
}

export { until } from './until.ts';

/** One line that says what is wrong and what to do, and ends in a code. */
export const oneLine = /^agon: .+[.?)] .+\([a-z-]+\)\n$/;
