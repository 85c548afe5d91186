import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * How many of our files somebody walks through who follows one verdict, and what is loaded for it: by V8's own coverage,
 * over the sources of all packages. `npm run bench:walk [-- FOLDER] [--list]` counts another checkout, or names the
 * files that have a function called.
 */

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const root = path.resolve(given ?? path.join(import.meta.dirname, '..', '..', '..'));
const load = (file: string) => [
  '--input-type=module',
  '-e',
  `import ${JSON.stringify(pathToFileURL(path.join(root, file)))}`,
];
const walks: Record<string, string[]> = {
  'agon moderate "text" --json': [
    path.join(root, 'packages/cli/src/main.ts'),
    'moderate',
    'The bakery opens at six.',
    '--json',
  ],
  'import the guard (agon/ai)': load('packages/core/src/integrations/ai/index.ts'),
  'import the ledger': load('packages/ledger/src/index.ts'),
};

for (const [name, args] of Object.entries(walks)) {
  const { loaded, called } = walk(args);
  const lines = loaded.reduce(
    (sum, file) => sum + readFileSync(path.join(root, file), 'utf8').split('\n').length - 1,
    0,
  );
  console.log(`${name}: ${loaded.length} files loaded (${lines} lines), ${called.length} with a function called`);
  if (process.argv.includes('--list')) console.log(called.map((file) => `  ${file}`).join('\n'));
}

function walk(args: string[]): { loaded: string[]; called: string[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-walk-'));
  try {
    const coverage = path.join(folder, 'coverage');
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, AGON_HOME: folder, NODE_V8_COVERAGE: coverage },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    const scripts = readdirSync(coverage)
      .flatMap((name) => (JSON.parse(readFileSync(path.join(coverage, name), 'utf8')) as Coverage).result)
      .filter(({ url }) => url.startsWith('file:') && isOurs(fileURLToPath(url)));
    const names = (some: typeof scripts) =>
      [...new Set(some.map(({ url }) => path.relative(root, fileURLToPath(url))))].toSorted();
    return {
      loaded: names(scripts),
      called: names(
        scripts.filter(({ functions }) => functions.some(({ ranges }) => isBody(ranges[0]!) && ranges[0]!.count > 0)),
      ),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isOurs(file: string): boolean {
  return file.startsWith(path.join(root, 'packages') + path.sep) && file.endsWith('.ts');
}

/** The first function of a script is the script itself, which runs when it is loaded. */
function isBody({ startOffset }: { startOffset: number }): boolean {
  return startOffset > 0;
}
