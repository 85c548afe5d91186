import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * How many files of src/ somebody walks through who follows one verdict: those with a function that
 * `agon moderate "text" --json` executes, by V8's own coverage. `npm run bench:walk [-- FOLDER] [--list]` counts
 * another checkout, or names the files.
 */

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const root = path.resolve(given ?? path.join(import.meta.dirname, '..'));
const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-walk-'));
try {
  const files = walkFiles();
  if (process.argv.includes('--list')) console.log(files.join('\n'));
  console.log(`${files.length} files of src/ have a function that \`agon moderate "text" --json\` executes.`);
} finally {
  rmSync(folder, { recursive: true });
}

function walkFiles(): string[] {
  const coverage = path.join(folder, 'coverage');
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'src/cli/main.ts'), 'moderate', 'The bakery opens at six.', '--json'],
    { cwd: folder, env: { ...process.env, AGON_HOME: folder, NODE_V8_COVERAGE: coverage }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`agon moderate ended with ${status}: ${stderr}`);
  const read = (name: string) => JSON.parse(readFileSync(path.join(coverage, name), 'utf8')) as Coverage;
  const scripts = readdirSync(coverage).flatMap((name) => read(name).result);
  const source = path.join(root, 'src') + path.sep;
  const walked = scripts
    .filter(({ functions }) => functions.some(({ ranges }) => isBody(ranges[0]!) && ranges[0]!.count > 0))
    .flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
    .filter((file) => file.startsWith(source));
  return [...new Set(walked)].map((file) => path.relative(root, file)).toSorted();
}

/** The first function of a script is the script itself, which runs when it is loaded. */
function isBody({ startOffset }: { startOffset: number }): boolean {
  return startOffset > 0;
}
