import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageFolder } from '@agonhq/engine/package-folder';

it('an installation without a runtime hears what to install, in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agon-no-runtime-'));
  try {
    const models = join('packages', 'models', 'src');
    const runtime = join(models, 'reasoners', 'embedded', 'runtime');
    for (const file of [
      'package.json',
      join('packages', 'engine', 'package.json'),
      join('packages', 'engine', 'src', 'agon-error.ts'),
      join('packages', 'engine', 'src', 'version.ts'),
      join(models, 'model-runtime.ts'),
      join(runtime, 'session.ts'),
      join(runtime, 'session-worker.ts'),
    ])
      await cp(join(packageFolder(import.meta.dirname), file), join(folder, file));
    await mkdir(join(folder, 'node_modules', '@agonhq'), { recursive: true });
    await symlink(join(folder, 'packages', 'engine'), join(folder, 'node_modules', '@agonhq', 'engine'));
    const program = `
      import { openSession } from ${JSON.stringify(pathToFileURL(join(folder, runtime, 'session.ts')))};
      const { code, message, hint } = await openSession({ modelFile: 'guard.onnx', threads: 1 }).catch((error) => error);
      console.log(JSON.stringify({ code, message, hint }));
    `;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      code: 'missing-guard-runtime',
      message: expect.stringMatching(
        /^The guard model needs @agonhq\/agon-runtime-\S+ or onnxruntime-node, and neither loads: [^\n]+$/,
      ),
      hint: expect.stringContaining('npm install onnxruntime-node'),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('the runtime keeps no record of its use for its makers', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agon-home-'));
  try {
    const program = `
      import { openSession } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'session.ts')))};
      const session = await openSession({ modelFile: ${JSON.stringify(join(import.meta.dirname, '..', '..', '..', '..', '..', '..', 'models', 'guard-2', 'second.onnx'))}, threads: 1 });
      console.log('open');
      await session.close();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home },
    });
    expect(stdout).toBe('open\n');
    expect(await readdir(home)).toEqual([]);
  } finally {
    await rm(home, { recursive: true });
  }
});

it.each([60, 140, 200, 280])('a program may end %i ms after it began to load a model', async (pauseMs) => {
  const session = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'session.ts')));
  const modelFile = join(import.meta.dirname, '..', '..', '..', '..', '..', '..', 'models', 'guard-2', 'second.onnx');
  const program = `
    import { openSession } from ${session};
    openSession({ modelFile: ${JSON.stringify(modelFile)}, threads: 1 }).catch(() => {});
    setTimeout(() => process.exit(7), ${pauseMs});
  `;
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  await expect(ended).rejects.toMatchObject({ code: 7, stderr: '' });
});
