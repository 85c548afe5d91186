import type { Hole, HoleValue } from './holes.ts';

/*
 * Answers that one judge gives alone are alike but for a few values. An answer is written as its JSON with holes: what
 * is left is its template, kept once, and the values of the holes are the case's own. Filled in again, they give the
 * same JSON letter by letter. No template holds words of what was judged: quotations are holes, and so is whatever is
 * said of the subject and its sources.
 */

/** What stands in a row of its own anyhow, by the name of a hole. */
export interface KnownValues {
  id: string;
  subject: string;
  risk: number | null;
  bar: number | null;
  latency: number | null;
  modality: string | null;
  author: string | null;
  thread: string | null;
  channel: string | null;
}

export interface WrittenAnswer {
  template: string;
  /** In the order in which they stand in the template, each once. */
  holes: readonly Hole[];
}

/** Begins and ends a hole: JSON escapes it, so that no text has one. */
export const holeMark = '\u0001';

const hashText = /^sha256:[0-9a-f]{64}$/;
const pieces = /“([^”]*)”?|(?<![\d.])\d{1,6}\.\d{1,6}(?!\.?\d)/g;
/** Of the same set-up these say the same. */
const constantMembers = new Set(['provenance', 'usage', 'version', 'sealVersion']);
/** Members that hold words of the subject, and those within them that never do. */
const quotingMembers = new Set(['subject', 'quote', 'evidence', 'text', 'note']);
const plainMembers = new Set(['source', 'role', 'kind', 'tool', 'of']);
/** Whatever it calls its members, all that is said of the subject's context is its own. */
const contextMember = 'context';

/** Whether strings are words of the subject: none, all but those of plain members, or all. */
type Quoting = 'none' | 'most' | 'all';

interface Walk {
  known: KnownValues;
  texts: readonly string[];
  holes: Hole[];
  rules: string;
  /** By value: what is said twice is kept once. */
  places: Map<HoleValue, number>;
  written: Map<object, string>;
  sentences: Map<string, string>;
}

/**
 * Writes an answer as its template and its holes. `texts` are those that its quotations are of; what is quoted from
 * the rules, as JSON, may stay in the template.
 */
export function writeTemplate(
  answer: object,
  known: KnownValues,
  texts: readonly string[],
  rules: string,
): WrittenAnswer {
  const { seal: _, ...content } = answer as Record<string, unknown>;
  const walk: Walk = { known, texts, rules, holes: [], places: new Map(), written: new Map(), sentences: new Map() };
  return { template: writeObject(walk, content, 'none'), holes: walk.holes };
}

function writeValue(walk: Walk, value: unknown, quoting: Quoting): string {
  if (typeof value === 'string') return writeString(walk, value, quoting);
  if (typeof value === 'number') return writeNumber(walk, value);
  if (value === null || typeof value !== 'object') return String(value);
  // The verdict is also what the last step came to.
  const written = walk.written.get(value);
  if (written !== undefined) return written;
  const json = Array.isArray(value)
    ? writeList(walk, value, quoting)
    : writeObject(walk, value as Record<string, unknown>, quoting);
  walk.written.set(value, json);
  return json;
}

function writeList(walk: Walk, values: readonly unknown[], quoting: Quoting): string {
  let json = '[';
  for (let index = 0; index < values.length; index += 1)
    json += (index === 0 ? '' : ',') + writeValue(walk, values[index], quoting);
  return `${json}]`;
}

function writeObject(walk: Walk, value: Record<string, unknown>, quoting: Quoting): string {
  let json = '{';
  let separator = '';
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    const { json: written, kind } = members.get(name) ?? readMember(name);
    json += separator + written;
    json +=
      kind === 'constant' && quoting !== 'all'
        ? writeConstant(walk, member)
        : writeValue(walk, member, findQuoting(quoting, kind));
    separator = ',';
  }
  return `${json}}`;
}

interface Member {
  /** Its name and the colon. */
  json: string;
  kind: 'constant' | 'quoting' | 'plain' | 'context' | null;
}

function findQuoting(around: Quoting, kind: Member['kind']): Quoting {
  if (around === 'all') return 'all';
  if (kind === 'context') return around === 'none' ? 'none' : 'all';
  if (kind === 'quoting') return 'most';
  return kind === 'plain' ? 'none' : around;
}

const members = new Map<string, Member>();

function readMember(name: string): Member {
  const kind = constantMembers.has(name)
    ? 'constant'
    : quotingMembers.has(name)
      ? 'quoting'
      : plainMembers.has(name)
        ? 'plain'
        : name === contextMember
          ? 'context'
          : null;
  const member: Member = { json: `${JSON.stringify(name)}:`, kind };
  if (members.size < mostWords) members.set(name, member);
  return member;
}

/** As it is, but for how long it took. */
function writeConstant(walk: Walk, value: unknown): string {
  if (typeof value !== 'object' || value === null || !('latencyMs' in value)) return JSON.stringify(value);
  const { latencyMs, ...rest } = value;
  const mark = '"latencyMs":';
  const all = JSON.stringify({ ...value, latencyMs: 0 });
  return typeof latencyMs === 'number' && !('latencyMs' in rest)
    ? all.replace(`${mark}0`, () => `${mark}${writeNumber(walk, latencyMs)}`)
    : JSON.stringify(value);
}

/** Short words without holes, which come again and again. */
const words = new Map<string, string>();
const mostWords = 1_000;
const longestWord = 40;

function keepWord(word: string, json: string): string {
  if (words.size < mostWords && word.length <= longestWord) words.set(word, json);
  return json;
}

function writeNumber(walk: Walk, value: number): string {
  const { risk, bar, latency } = walk.known;
  if (!Number.isInteger(value)) {
    if (value === risk) return nameKnown('risk');
    if (value === bar) return nameKnown('bar');
  } else if (value === latency && value > 9) return nameKnown('latency');
  return makeHole(walk, 'number', value, !Number.isInteger(value));
}

const nameKnown = (name: keyof KnownValues) => `${holeMark}${name}${holeMark}`;

function makeHole(walk: Walk, type: Hole['type'], value: HoleValue, isShared = true): string {
  let place = isShared ? walk.places.get(value) : undefined;
  if (place === undefined || walk.holes[place]!.type !== type) {
    place = walk.holes.length;
    walk.holes.push({ type, value } as Hole);
    if (isShared) walk.places.set(value, place);
  }
  return `${holeMark}${place}${holeMark}`;
}

function writeString(walk: Walk, value: string, quoting: Quoting): string {
  const { known } = walk;
  if (value === known.id) return `"${nameKnown('id')}"`;
  if (value === known.subject) return `"${nameKnown('subject')}"`;
  if (value.length === 71 && hashText.test(value)) return `"sha256:${makeHole(walk, 'hash', value)}"`;
  if (quoting === 'none') return writeOwnWords(walk, value);
  if (value === known.modality) return `"${nameKnown('modality')}"`;
  for (const name of contextColumns) if (value === known[name]) return `"${nameKnown(name)}"`;
  return `"${makeHole(walk, 'words', value)}"`;
}

const contextColumns = ['author', 'thread', 'channel'] as const;

function writeOwnWords(walk: Walk, value: string): string {
  const before = words.get(value) ?? walk.sentences.get(value);
  if (before !== undefined) return before;
  const json = writeSentence(walk, value);
  if (!json.includes(holeMark)) return keepWord(value, json);
  walk.sentences.set(value, json);
  return json;
}

/** Quotations and figures are holes in what our own code words. */
function writeSentence(walk: Walk, value: string): string {
  if (value.length < 4) return JSON.stringify(value);
  let json = '"';
  let from = 0;
  pieces.lastIndex = 0;
  for (let found = pieces.exec(value); found; found = pieces.exec(value)) {
    const quote = found[1];
    const start = quote === undefined ? found.index : found.index + 1;
    if (quote !== undefined && isOfRules(walk, quote)) continue;
    json += JSON.stringify(value.slice(from, start)).slice(1, -1);
    json += quote === undefined ? makeHole(walk, 'figure', found[0]) : makeHole(walk, 'words', quote);
    from = start + (quote ?? found[0]).length;
  }
  return `${json}${JSON.stringify(value.slice(from)).slice(1, -1)}"`;
}

function isOfRules({ texts, rules }: Walk, quote: string): boolean {
  return !texts.some((text) => text.includes(quote)) && rules.includes(quote);
}

const told = 16;

/** Whether words of a template are also in a text: as many letters in a row as nobody writes by chance. */
export function repeatsText(template: string, texts: readonly string[]): boolean {
  const literals = template.split(/\u0001[^\u0001]*\u0001/);
  return literals.some((words) => {
    for (let start = 0; start + told <= words.length; start += 1) {
      const some = words.slice(start, start + told);
      if (texts.some((text) => text.includes(some))) return true;
    }
    return false;
  });
}
