import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { outcomeOf } from '../support/run-agon.ts';
import { networkEnvironment } from './installation.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Whether images can be built here. */
export const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

/**
 * The image without Docker: the lines of the Dockerfile's first stage are run in a folder that holds what is committed
 * and nothing else, by somebody with Node, npm and an empty home. Returns what the image has in /agon.
 */
export async function buildImageFolder(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-image-'));
  const clone = path.join(folder, 'clone');
  const image = path.join(folder, 'image');
  const home = path.join(folder, 'home');
  const bin = path.join(folder, 'bin');
  for (const made of [clone, home, bin]) mkdirSync(made);
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0').filter(Boolean))
    cpSync(path.join(root, file), path.join(clone, file));
  symlinkSync(process.execPath, path.join(bin, 'node'));
  const environment = { ...networkEnvironment(), PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: home };
  for (const line of listBuildSteps()) {
    const ran = spawn('sh', ['-c', line.replaceAll('/image', image)], { cwd: clone, env: environment });
    const { code, stderr } = await outcomeOf(ran);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr.slice(-2000)}`);
  }
  return image;
}

/** The RUN lines of the first stage. */
function listBuildSteps(): string[] {
  const file = readFileSync(path.join(root, 'docs', 'deploy', 'Dockerfile'), 'utf8');
  const [, build] = file.split(/^FROM .*$/m);
  return [...build!.matchAll(/^RUN (.+)$/gm)].map(([, line]) => line!);
}

/** Starts the image's command in a folder of its own, with this environment and no other. */
export function startImage(
  image: string,
  args: readonly string[],
  environment: Record<string, string>,
): { child: ChildProcess; ended: ReturnType<typeof outcomeOf> } {
  const home = mkdtempSync(path.join(tmpdir(), 'agon-container-'));
  const child = spawn(process.execPath, [path.join(image, 'bin', 'agon.js'), ...args], {
    cwd: home,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      NODE_ENV: 'production',
      AGON_HOME: path.join(home, '.agon'),
      ...environment,
    },
  });
  child.stdin.end();
  return { child, ended: outcomeOf(child) };
}
