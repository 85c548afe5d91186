import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

/*
 * `npm run lint`: no regular expression of a package may take more than a time in step with the length of what it
 * reads: one that is quadratic stops a server for minutes over a word of 80 kB. Where its text is bounded another way,
 * the line above it says so, with the reason: `// Bounded: of the longest number.`
 */

interface Pattern {
  file: string;
  line: number;
  source: string;
  flags: string;
}

const root = path.join(import.meta.dirname, '..');
const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));

/** Those that stand in the code as they are. */
function listLiterals(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node) || !node.regex) return;
      const { pattern: source, flags } = node.regex;
      found.push({ file, line: text.slice(0, node.start).split('\n').length, source, flags });
    },
  }).visit(parseSync(file, text).program);
  return found;
}

/** Those that modules put together when they are loaded: their parts tell nothing, so the modules are. */
async function listComposed(): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const plain = RegExp;
  const note = (made: RegExp) => {
    const frame = /\/(packages\/[^:]+):(\d+):\d+\)?$/;
    const [at] = new Error('made').stack!.split('\n').flatMap((line) => {
      const [, file, number] = frame.exec(line) ?? [];
      return file === undefined || file === 'packages/engine/src/text/pattern.ts'
        ? []
        : [{ file, line: Number(number) }];
    });
    if (at) found.push({ ...at, source: made.source, flags: made.flags });
    return made;
  };
  globalThis.RegExp = new Proxy(plain, {
    construct: (target, given) => note(Reflect.construct(target, given) as RegExp),
    apply: (target, self, given) => note(Reflect.apply(target, self, given) as RegExp),
  });
  Error.stackTraceLimit = 20;
  for (const [file, text] of texts) if (/\bpattern\(|\bRegExp\(/.test(text)) await import(path.join(root, file));
  globalThis.RegExp = plain;
  return found;
}

function line(file: string, number: number): string {
  return texts.get(file)?.split('\n')[number - 1] ?? '';
}

const excused = new Set<string>();
function isBounded({ file, line: number }: Pattern): boolean {
  const at = [number, number - 1, number - 2].find((one) => /\bBounded: /.test(line(file, one)));
  if (at !== undefined) excused.add(`${file}:${at}`);
  return at !== undefined;
}

const patterns = [...[...texts].flatMap(([file, text]) => listLiterals(file, text)), ...(await listComposed())];
const slow = patterns.filter(({ source, flags }) => {
  const { reports } = analyse({ source, flags: flags.replace('d', '') }, { reportTypes: { Move: true } });
  return reports.length > 0;
});
const complaints = slow
  .filter((pattern) => !isBounded(pattern))
  .map(({ file, line: number, source }) => `${file}:${number} takes far longer than its text is long: /${source}/`);
for (const [file, text] of texts)
  for (const [index, words] of text.split('\n').entries())
    if (/\bBounded: /.test(words) && !excused.has(`${file}:${index + 1}`))
      complaints.push(`${file}:${index + 1} excuses no regular expression.`);

for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) console.error('Where the text is bounded another way, say so above it: // Bounded: why.');
console.log(`${patterns.length} regular expressions, ${slow.length} of them of bounded texts.`);
process.exit(complaints.length > 0 ? 1 : 0);
