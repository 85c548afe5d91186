import { jsonrepair } from 'jsonrepair';

/**
 * The object in a model's text, however it is wrapped: fences, prose around it, comments, trailing commas, thoughts
 * before it, an end that is missing. Undefined when there is none. What it means is left to the role's schema:
 * nothing is renamed, and no string becomes a number.
 */
export function extractJson(text: string): unknown {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/i, '').trim();
  const strict = parseJson(answer);
  if (isObject(strict)) return strict;
  // The longest first: prose has small braces, the answer is what fills them.
  const candidates = findOutermostObjects(answer).toSorted((a, b) => b.length - a.length);
  // A quotation mark in a comment misleads the search for the end: then everything between the outer braces is tried.
  candidates.push(answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1));
  for (const candidate of candidates) {
    const value = parseJson(candidate) ?? repairJson(candidate);
    if (isObject(value)) return value;
  }
  return undefined;
}

/** The object that a text is, to the letter, or undefined. */
export function parseStrictly(text: string): unknown {
  const value = parseJson(text.trim());
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function repairJson(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** Every `{…}` that is not inside another one; the last may lack its end. Braces inside strings do not count. */
function findOutermostObjects(text: string): string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"' && depth > 0) inString = true;
    else if (character === '{' && depth++ === 0) start = i;
    else if (character === '}' && depth > 0 && --depth === 0) objects.push(text.slice(start, i + 1));
  }
  if (depth > 0) objects.push(text.slice(start).replace(/\n?```\s*$/, ''));
  return objects;
}
