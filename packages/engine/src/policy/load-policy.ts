import { isScalar, LineCounter, parseDocument, visit, type Document, type YAMLError } from 'yaml';
import { AgonError } from '../agon-error.ts';
import { hashOf } from '../hash.ts';
import { describeIssue } from './describe-issue.ts';
import type { Policy } from './policy.ts';
import { policySchema } from './schema.ts';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';

let loaded: Promise<Policy> | undefined;

/** The policy that Agon ships: `policies/default.yaml` of the package, read once. */
export function defaultPolicy(): Promise<Policy> {
  loaded ??= defaultPolicyFile().then(loadPolicy);
  return loaded;
}

/** Where the policy lies that Agon ships. */
export async function defaultPolicyFile(): Promise<string> {
  return join(packageFolder(import.meta.dirname), 'policies', 'default.yaml');
}

const largestBytes = 1_000_000;
const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};

/** Reads a policy file. */
export async function loadPolicy(file: string): Promise<Policy> {
  return parsePolicy(decode(await readBytes(file), file), file);
}

async function readBytes(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    // One byte more than allowed, and never more: a pipe or a device has no size to ask for.
    for await (const chunk of createReadStream(file, { end: largestBytes })) chunks.push(chunk as Buffer);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unreadable(file, reasons[code] ?? message, error);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > largestBytes) throw unreadable(file, 'it is larger than 1 MB');
  return bytes;
}

function decode(bytes: Buffer, file: string): string {
  if (bytes.includes(0)) throw unreadable(file, 'it is binary, not a text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(file, 'it is not text in UTF-8', error);
  }
}

function unreadable(file: string, reason: string, cause?: unknown): AgonError {
  const hint = {
    library: 'Name a YAML file; docs/policy.md describes it.',
    cli: 'Give --policy the path of a YAML file; `agon policy show` prints one to start from.',
  };
  return new AgonError('unreadable-policy', `The policy ${file} cannot be read: ${reason}.`, hint, { cause });
}

interface Problem {
  offset: number;
  reason: string;
}

const problemsShown = 5;
const problemsListed = 100;
const plainReasons: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'a second document begins here: a file holds one policy',
  NON_STRING_KEY: 'a key must be a text',
  RESOURCE_EXHAUSTION: 'this is nested too deeply to be read',
  TAB_AS_INDENT: 'a tab cannot indent: use spaces',
};

/**
 * Reads a policy file's text. A broken one is refused with places and reasons.
 *
 * @example parsePolicy(text, 'my.yaml') // throws: my.yaml:12:15: "severity" must be low, medium, high or critical,
 * not "hihg"
 */
export function parsePolicy(text: string, fileName: string): Policy {
  const lineCounter = new LineCounter();
  // In the failsafe schema every scalar is a string: `version: 1.0` and `- no` mean what they say.
  // The parser compares every key with all others, which a file of a hundred thousand would make it do for minutes.
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    schema: 'failsafe',
    stringKeys: true,
    uniqueKeys: false,
  });
  const layout = layoutProblems(document);
  if (layout.length > 0) throw brokenPolicy(firstOfEachLine(layout, lineCounter), fileName, lineCounter);

  const parsed = policySchema.safeParse(document.toJS());
  if (parsed.success) return { ...parsed.data, hash: hashOf(parsed.data) };
  throw brokenPolicy(
    parsed.error.issues.flatMap((issue) => describeIssue(issue, document)),
    fileName,
    lineCounter,
  );
}

/** What is wrong before the content is looked at. */
function layoutProblems(document: Document): Problem[] {
  const problems = [
    ...[...document.errors, ...document.warnings].map((error) => describeError(error, document)),
    ...keysGivenTwice(document),
  ];
  if (problems.length > 0) return problems;
  if (document.contents === null) return [{ offset: 0, reason: 'the file is empty' }];
  // Without aliases nothing can be expanded: a "billion laughs" file is refused, and every value has one place.
  visit(document, {
    Alias: (_key, alias) => {
      problems.push({ offset: alias.range?.[0] ?? 0, reason: `*${alias.source} is an alias: write the value out` });
    },
  });
  return problems;
}

function keysGivenTwice(document: Document): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) problems.push({ offset: key.range?.[0] ?? 0, reason: 'this key is given twice' });
        seen.add(key.value);
      }
    },
  });
  return problems;
}

function describeError(error: YAMLError, document: Document): Problem {
  const [offset] = error.pos;
  const openQuote = error.code === 'MISSING_CHAR' ? quoteBefore(offset, document) : undefined;
  if (openQuote !== undefined) return { offset: openQuote, reason: 'this quote is never closed' };
  return { offset, reason: plainReasons[error.code] ?? error.message };
}

/** The parser notices an open quote at the end of what it swallowed; its owner wants to see where it began. */
function quoteBefore(offset: number, document: Document): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[0] < offset && offset <= range[2]) start = range[0];
    },
  });
  return start;
}

/** A slip of layout makes the parser stumble again right behind it. */
function firstOfEachLine(problems: readonly Problem[], lineCounter: LineCounter): Problem[] {
  const byLine = Map.groupBy(problems, ({ offset }) => lineCounter.linePos(offset).line);
  return [...byLine.values()].flatMap((ofLine) => ofLine.slice(0, 1));
}

function brokenPolicy(problems: readonly Problem[], fileName: string, lineCounter: LineCounter): AgonError {
  const issues = problems
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, reason }) => {
      const { line, col } = lineCounter.linePos(offset);
      return { line, column: col, reason };
    });
  const rest = issues.length - problemsShown;
  const message =
    issues
      .slice(0, problemsShown)
      .map(({ line, column, reason }) => `${fileName}:${line}:${column}: ${reason}`)
      .join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  return new AgonError('broken-policy', message, 'Correct the file; docs/policy.md describes its fields.', {
    issues: issues.slice(0, problemsListed),
  });
}

/** A policy as it was put on record, if it is still what its hash says. */
export function policyOnRecord(document: unknown): Policy {
  const { hash, ...content } = document as Policy;
  if (hashOf(content) === hash) return document as Policy;
  throw new AgonError('broken-record', 'The policy on record is not the one its hash names.', {
    library: 'The record was changed from outside: name a policy file.',
    cli: 'The record was changed from outside: name the policy with --policy FILE.',
  });
}
