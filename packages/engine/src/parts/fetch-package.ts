import { spawn } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import type { PartsEnvironment } from './parts-folder.ts';

/** What of a part its fetching needs. */
interface Fetched {
  id: string;
  package: string;
  version: string;
  fetched: number;
}

export interface FetchOptions {
  environment: PartsEnvironment;
  signal?: AbortSignal;
  /** Told how many bytes are there. */
  onProgress?: (bytes: number) => void;
}

/** How often progress is told. */
const pauseMs = 250;

/** Fetches a part's package by npm, with whatever registry and proxy npm is set up for. No script of it is run. */
export async function fetchPackage(part: Fetched, folder: string, options: FetchOptions): Promise<string> {
  await runFetching(part, folder, ['pack', nameVersion(part), '--pack-destination', folder], options);
  const file = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
  if (file === undefined) throw unfetched(part, 'npm fetched nothing');
  return path.join(folder, file);
}

/** Installs a part's package and what it depends on into a folder, in the same way. */
export async function installPackage(
  part: Fetched,
  folder: string,
  staging: string,
  options: FetchOptions,
): Promise<void> {
  // Without one of its own, npm would look for a project in the folders above.
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--save-exact', '--omit=dev'];
  await runFetching(part, staging, ['install', nameVersion(part), '--prefix', folder, ...quiet], options);
}

const nameVersion = (part: Fetched) => `${part.package}@${part.version}`;

async function runFetching(
  part: Fetched,
  folder: string,
  args: readonly string[],
  { environment, signal, onProgress }: FetchOptions,
): Promise<void> {
  // A cache of its own: what lies in it is what has arrived.
  const cache = path.join(folder, 'cache');
  const always = ['--ignore-scripts', '--cache', cache, '--loglevel', 'error'];
  let isOver = false;
  // What is still being measured at the end is told no more: it would come after the whole.
  const tell = (bytes: number) => {
    if (!isOver) onProgress?.(bytes);
  };
  const timer = onProgress && setInterval(() => void measureFolder(cache).then(tell), pauseMs);
  try {
    await runNpm([...args, ...always], part, { environment, signal });
  } finally {
    isOver = true;
    clearInterval(timer);
  }
  onProgress?.(part.fetched);
}

async function runNpm(
  args: readonly string[],
  part: Fetched,
  { environment, signal }: Pick<FetchOptions, 'environment' | 'signal'>,
): Promise<void> {
  const isWindows = process.platform === 'win32';
  const child = spawn('npm', args, {
    env: environment,
    signal,
    // npm is a script there.
    shell: isWindows,
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-8000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (signal?.aborted)
      throw new AgonError('cancelled', `${part.id} was not added.`, `Run \`agon add ${part.id}\` again.`);
    throw cause.code === 'ENOENT'
      ? new AgonError('no-npm', 'Parts are fetched by npm, which is not on the PATH.', 'Install npm: Node brings it.')
      : unfetched(part, cause.message, cause);
  });
  if (code !== 0) throw unfetched(part, findReason(said) ?? `npm ended with code ${code}`);
}

/** The line in which npm says what went wrong, without its colours and prefixes. */
function findReason(said: string): string | null {
  const lines = said
    .split('\n')
    .map((line) => /^npm (?:error|ERR!) (?!code |errno |syscall |A complete log)(?<reason>\S.*)/.exec(line.trim()))
    .flatMap((match) => match?.groups?.['reason'] ?? []);
  return lines[0]?.replace(/\.$/, '') ?? null;
}

/** How much lies in a folder; files that go away meanwhile count nothing. */
async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(path.join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function unfetched({ id, package: name, version }: Fetched, reason: string, cause?: unknown): AgonError {
  return new AgonError(
    'unfetched-part',
    `${id} could not be fetched (npm package ${name} ${version}): ${reason}.`,
    `Check the connection and npm's registry (npm ping), then run \`agon add ${id}\` again.`,
    { cause },
  );
}
