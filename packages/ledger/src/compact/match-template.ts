import type { Hole, HoleValue } from './holes.ts';
import { holeMark, type KnownValues } from './write-template.ts';

/*
 * Most answers are of a shape that was seen before. Holding one against a template, value by value, takes a fraction of
 * the time that writing its template again would take.
 */

/** What stands at a place of a template. */
type Pattern =
  | { kind: 'same'; value: unknown }
  | { kind: 'object'; names: readonly string[]; members: readonly Pattern[] }
  | { kind: 'list'; members: readonly Pattern[] }
  | { kind: 'number'; hole: HoleName }
  | { kind: 'words'; literals: readonly string[]; holes: readonly HoleName[]; sentence: number };

type HoleName = number | keyof KnownValues;

/** A template to hold answers against. */
export interface Shape {
  pattern: Pattern;
  types: readonly Hole['type'][];
}

/** Stands for a number in a template that is read as JSON, where everything else is words. */
const numberMark = `${holeMark}=`;

export function makeShape(template: string, holes: readonly Hole[]): Shape {
  const json = template
    .replaceAll(/"(?:[^"\\]|\\.)*"|\u0001([^\u0001]*)\u0001/g, (all, hole?: string) =>
      hole === undefined ? all : `"${numberMark}${hole}"`,
    )
    .replaceAll(holeMark, String.raw`\u0001`);
  return { pattern: makePattern(JSON.parse(json), new Map()), types: holes.map(({ type }) => type) };
}

/** `sentences` are those with holes, each with a number: what is said twice is taken apart once. */
function makePattern(value: unknown, sentences: Map<string, number>): Pattern {
  const makeAll = (members: readonly unknown[]) => members.map((member) => makePattern(member, sentences));
  if (Array.isArray(value)) return { kind: 'list', members: makeAll(value) };
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', names: Object.keys(value), members: makeAll(Object.values(value)) };
  if (typeof value !== 'string' || !value.includes(holeMark)) return { kind: 'same', value };
  if (value.startsWith(numberMark)) return { kind: 'number', hole: readName(value.slice(numberMark.length)) };
  const parts = value.split(holeMark);
  const sentence = sentences.get(value) ?? sentences.size;
  sentences.set(value, sentence);
  return {
    kind: 'words',
    sentence,
    literals: parts.filter((_, index) => index % 2 === 0),
    holes: parts.filter((_, index) => index % 2 === 1).map(readName),
  };
}

const readName = (name: string): HoleName => (/^\d+$/.test(name) ? Number(name) : (name as keyof KnownValues));

interface Match {
  known: KnownValues;
  types: Shape['types'];
  found: HoleValue[];
  /** What was said already, by the numbers of sentences. */
  said: string[];
}

/** What fills the holes of a template so that it is this answer, whose seal is left out; null where nothing does. */
export function matchTemplate({ pattern, types }: Shape, answer: object, known: KnownValues): readonly Hole[] | null {
  const match: Match = { known, types, found: [], said: [] };
  if (pattern.kind !== 'object' || !fitsObject(match, pattern, answer as Record<string, unknown>, 'seal')) return null;
  return match.found.map((value, place) => ({ type: types[place]!, value }) as Hole);
}

function fits(match: Match, pattern: Pattern, value: unknown): boolean {
  if (pattern.kind === 'same') return value === pattern.value;
  if (pattern.kind === 'number') return Number.isFinite(value) && fill(match, pattern.hole, value as number);
  if (pattern.kind === 'words') return typeof value === 'string' && fitsWords(match, pattern, value);
  if (typeof value !== 'object' || value === null) return false;
  return pattern.kind === 'list'
    ? Array.isArray(value) && fitsList(match, pattern.members, value)
    : fitsObject(match, pattern, value as Record<string, unknown>);
}

function fitsList(match: Match, members: readonly Pattern[], values: readonly unknown[]): boolean {
  if (values.length !== members.length) return false;
  for (let index = 0; index < values.length; index += 1) if (!fits(match, members[index]!, values[index])) return false;
  return true;
}

/** Members count in their order: JSON has one. */
function fitsObject(
  match: Match,
  { names, members }: Pattern & { kind: 'object' },
  value: Record<string, unknown>,
  leftOut?: string,
): boolean {
  let place = 0;
  for (const name in value) {
    const member = value[name];
    if (member === undefined || name === leftOut) continue;
    if (name !== names[place] || !fits(match, members[place]!, member)) return false;
    place += 1;
  }
  return place === names.length;
}

function fill({ known, found }: Match, hole: HoleName, value: HoleValue): boolean {
  if (typeof hole !== 'number') return known[hole] === value;
  if (hole < found.length) return found[hole] === value;
  found.push(value);
  return true;
}

function fitsWords(match: Match, pattern: Pattern & { kind: 'words' }, value: string): boolean {
  const before = match.said[pattern.sentence];
  if (before !== undefined) return before === value;
  match.said[pattern.sentence] = value;
  return fitsSentence(match, pattern, value);
}

function fitsSentence(match: Match, { literals, holes }: Pattern & { kind: 'words' }, value: string): boolean {
  const [first, last] = [literals[0]!, literals.at(-1)!];
  if (holes.length === 1 && first === '' && last === '') return fill(match, holes[0]!, value);
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (let index = 0; index < holes.length; index += 1) {
    const literal = literals[index + 1]!;
    const end = findEnd(match, holes[index]!, value, at);
    if (end === -1 || !value.startsWith(literal, end)) return false;
    const own = value.slice(at, end);
    if (!fill(match, holes[index]!, isHash(match, holes[index]!) ? `sha256:${own}` : own)) return false;
    at = end + literal.length;
  }
  return at === value.length;
}

const isHash = ({ types }: Match, hole: HoleName): boolean => typeof hole === 'number' && types[hole] === 'hash';

const hashDigits = /[0-9a-f]{64}$/y;
const figure = /\d{1,6}\.\d{1,6}/y;

/** Where that ends which fills a hole in a sentence. */
function findEnd({ known, types, found }: Match, hole: HoleName, value: string, at: number): number {
  if (typeof hole !== 'number') return at + String(known[hole]).length;
  const type = types[hole];
  if (type === 'words') return value.indexOf('”', at);
  if (type === 'figure' && hole < found.length) return at + String(found[hole]).length;
  const pattern = type === 'hash' ? hashDigits : figure;
  pattern.lastIndex = at;
  return pattern.test(value) ? pattern.lastIndex : -1;
}
