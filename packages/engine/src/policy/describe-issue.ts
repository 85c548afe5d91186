import { isMap, isNode, isScalar, type Document } from 'yaml';
import type { z } from 'zod';
import { keysAt } from './schema.ts';
import { shorten } from '../text/index.ts';

type Path = readonly PropertyKey[];

/** What a schema issue means to the owner of the file, and where in the text it is. */
export function describeIssue(issue: z.core.$ZodIssue, document: Document): { offset: number; reason: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const offsetOfKey = offsetsOfKeys(document, issue.path);
    return issue.keys.map((key) => ({ offset: offsetOfKey(key), reason: unknownKey(key, issue.path) }));
  }
  const place = nearestNode(document, issue.path);
  if (place.path.length < issue.path.length && !isScalar(place.node)) {
    return [{ offset: place.offset, reason: `"${String(issue.path[place.path.length])}" is missing here` }];
  }
  const isAboutValue =
    issue.code === 'invalid_type' || issue.code === 'invalid_format' || issue.code === 'invalid_value';
  const stated = isAboutValue && isScalar(place.node) ? `, not ${quoted(place.node.value)}` : '';
  return [{ offset: place.offset, reason: `${nameOf(place.path)}${issue.message}${stated}` }];
}

/** The node at a path or, where there is none, the last one on the way to it. */
function nearestNode(document: Document, path: Path) {
  let node: unknown = document.contents;
  let reached = 0;
  for (const step of path) {
    const next: unknown = isScalar(node) || !isNode(node) || !('get' in node) ? undefined : node.get(step, true);
    if (!isNode(next)) break;
    node = next;
    reached += 1;
  }
  return { node, path: path.slice(0, reached), offset: offsetOf(node) };
}

function offsetsOfKeys(document: Document, path: Path): (key: string) => number {
  const { node, offset } = nearestNode(document, path);
  const offsets = new Map(
    isMap(node) ? node.items.flatMap(({ key }) => (isScalar(key) ? [[key.value, offsetOf(key)]] : [])) : [],
  );
  return (key) => offsets.get(key) ?? offset;
}

function offsetOf(node: unknown): number {
  return (isNode(node) && node.range?.[0]) || 0;
}

function unknownKey(key: string, path: Path): string {
  const known = keysAt(path);
  const meant = suggest(key, known);
  if (meant) return `unknown key "${key}" (did you mean "${meant}"?)`;
  const isExample = path.at(-2) === 'violations' || path.at(-2) === 'exonerations';
  const advice = isExample ? '; if the example is a text with a colon, put it in quotes' : '';
  return `unknown key "${key}" (known here: ${known.join(', ')})${advice}`;
}

function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return '';
  return typeof last === 'number' ? `item ${last + 1} of "${String(path.at(-2))}" ` : `"${String(last)}" `;
}

function quoted(value: unknown): string {
  return JSON.stringify(shorten(String(value), 40));
}

/** The known word that a mistyped one most likely stands for, if any is near. */
function suggest(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, distance: distance(typed.toLowerCase(), word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
}

/** Levenshtein's. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
