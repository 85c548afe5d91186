import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const packages = ['@langchain/langgraph@1.4.18', '@langchain/core', '@langchain/openai'];

/**
 * Installs LangGraph.js apart, in the temporary folder, on first use. Null, with a line that says why, when it cannot
 * be had.
 */
export async function installLangGraph(): Promise<string | null> {
  const folder = path.join(tmpdir(), 'agon-bench-langgraph');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }), {
    flag: 'wx',
  }).catch(() => {});
  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], {
      cwd: folder,
      timeout: 180_000,
    });
    return folder;
  } catch (error) {
    process.stderr.write(
      `LangGraph.js is left out: it could not be installed (${(error as Error).message.split('\n')[0]}).\n`,
    );
    return null;
  }
}
