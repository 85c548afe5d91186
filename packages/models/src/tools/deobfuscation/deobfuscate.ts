import { isObservation, type Observation } from '@agonhq/engine/debate';
import type { Range, Source } from '@agonhq/engine/evidence';
import { findUnreadable, isEnglish } from '@agonhq/engine/language';
import { base64, characterCodes, entities, escapes, hex, urlEncoding } from './decode.ts';
import { applied, type Finding, type Replacement, type Technique } from './finding.ts';
import { framedText } from './framed-text.ts';
import { homoglyphs } from './homoglyphs.ts';
import { directionOverrides, invisibleCharacters, smuggledText } from './invisible.ts';
import { leetspeak } from './leetspeak.ts';
import { plainLetters } from './plain-letters.ts';
import { quotedText } from './quoted-text.ts';
import { respelledText } from './find-respelled.ts';
import { lettersByName, spacedLetters } from './spelled-letters.ts';
import { undoAll } from './undo-all.ts';
import { segment } from './segment-words.ts';

const fewLetters = 10;
const mostLines = 1_000;
const mostPerLetter = 2.3;

/**
 * What the first letters of lines say; an empty line stands between words. The initials of a list or a poem say
 * nothing.
 *
 * @example firstLetters('Keep\nit\nlow\nlads') // of enough lines: [{ text: 'kill', … }]
 */
function firstLetters(text: string): Finding[] {
  const lines = text.split('\n', mostLines).map((line) => line.trim());
  const letters = lines.map((line) => /^\P{L}{0,3}([a-z])/iu.exec(line)?.[1] ?? ' ').join('');
  const runs = letters.toLowerCase().trim().split(/\s+/);
  if (runs.join('').length < fewLetters) return [];
  const words = runs.flatMap((run) => (isEnglish(run) ? [run] : (segment(run, mostPerLetter) ?? [])));
  const known = words.filter((word) => isEnglish(word));
  if (words.join('').length < 0.85 * runs.join('').length || known.length < 0.7 * words.length) return [];
  if (known.filter(({ length }) => length >= 3).length < 2) return [];
  const said = words.join(' ');
  return [{ tool: 'first-letters', text: said, original: lines.slice(0, 5).join('\n'), replaces: [], readable: true }];
}

/** Of characters that nobody sees, or that pass for Latin letters: a text in ASCII has none. */
const beyondAscii: readonly Technique[] = [smuggledText, invisibleCharacters, directionOverrides, homoglyphs];
const techniques: readonly Technique[] = [
  smuggledText,
  invisibleCharacters,
  directionOverrides,
  homoglyphs,
  base64,
  hex,
  characterCodes,
  urlEncoding,
  entities,
  escapes,
  leetspeak,
  spacedLetters,
  respelledText,
  quotedText,
  framedText,
  firstLetters,
  lettersByName,
  plainLetters,
];
const maxDepth = 3;
const maxObservations = 10;
const maxPayloads = 40;
const maxText = 4000;
const maxPlain = 40_000;
const maxLayer = 65_536;
const maxUnreadable = 3;
const maxExcerpt = 60;

/** Something found, with what was taken off to get there, outermost first. */
interface Found {
  text: string;
  tools: readonly string[];
  finding: Finding;
  /** A disguise was found in it in turn, so that it is no plain text itself. */
  disguised: boolean;
}

/**
 * Reads what hides in a text: payloads (base64, hex, URL-encoding, entities, escapes, rot13, reversal), disguised
 * letters (leetspeak, homoglyphs, letters spelled out), characters nobody sees, and what programs, data and frames
 * carry; also one inside another. Ordinary text in any language gives nothing.
 *
 * @example deobfuscate({ id: 'text', text: 'k1ll' }) // [{ id: 'text/decoded-1', tool: 'leetspeak', text: 'kill', … }]
 */
export function deobfuscate(source: Source | Observation): Observation[] {
  const search = rememberFindings();
  const found = findAll(source.text, search);
  const plain = readPlainly(source.text, search);
  const isWhole = plain !== null && plain.text.length <= (plain.share >= 0.2 ? maxPlain : maxText);
  const kept = found.filter(({ finding, disguised }) => finding.readable && !(isWhole && disguised));
  const observations = kept.slice(0, maxObservations).map(({ text, tools, finding }): Observation => ({
    id: '',
    text: isWhole && text === plain.text ? text : cut(text, maxText),
    tool: finding.tool,
    of: source.id,
    note: noteOn(tools, finding.original, text.length),
    ...(isWhole && text === plain.text && { whole: true }),
  }));
  if (isWhole && !observations.some(({ whole }) => whole))
    observations.push({
      id: '',
      text: plain.text,
      tool: 'plain-text',
      of: source.id,
      note: 'The whole of it, with what was decoded put in its place.',
      whole: true,
    });
  return [
    ...observations.map((observation, index) => ({ ...observation, id: `${source.id}/decoded-${index + 1}` })),
    // What a machine read off an image or heard may be noise.
    ...(isObservation(source) ? [] : noteUnreadable(source.id, plain?.text ?? source.text)),
  ];
}

/** What is still no words after all that: whoever judges must not take it for harmless. */
function noteUnreadable(of: string, text: string): Observation[] {
  return findUnreadable(text)
    .slice(0, maxUnreadable)
    .map(({ start, end }, index) => ({
      id: `${of}/unreadable-${index + 1}`,
      text: cut(text.slice(start, end).trim(), maxText),
      tool: 'unreadable',
      of,
      note: 'In no language that Agon knows; no disguise that it knows was found on it.',
    }));
}

type Search = (text: string) => readonly Finding[];

/** Each text is searched once, for the list of what was found and for the plain form. */
function rememberFindings(): Search {
  const known = new Map<string, readonly Finding[]>();
  return (text) => {
    let findings = known.get(text);
    if (!findings) known.set(text, (findings = listFindings(text)));
    return findings;
  };
}

/** What each technique finds by itself; where that leaves no words, what several upon each other do. */
function listFindings(text: string): Finding[] {
  const isAscii = !/[^\x00-\x7f]/.test(text);
  const fitting = isAscii ? techniques.filter((technique) => !beyondAscii.includes(technique)) : techniques;
  const findings = fitting.flatMap((technique) => technique(text));
  const places = withoutOverlaps(findings.flatMap(({ readable, replaces }) => (readable ? replaces : [])));
  const undone = undoAll(text, places.length === 0 ? text : applied(text, { start: 0, end: text.length }, places));
  const covered = (place: Range) =>
    undone.some(({ replaces: [all] }) => all!.start <= place.start && place.end <= all!.end);
  return [...findings.filter(({ replaces }) => replaces.length === 0 || !replaces.every(covered)), ...undone];
}

function findAll(source: string, search: Search): Found[] {
  const found: Found[] = [];
  const seen = new Set([source]);
  const layers: { text: string; tools: readonly string[]; from: Found | null }[] = [
    { text: source, tools: [], from: null },
  ];
  for (let layer = layers.shift(); layer; layer = layers.shift()) {
    for (const finding of search(layer.text)) {
      const text = finding.text.trim().toWellFormed();
      if (layer.from && finding.readable && finding.replaces.length > 0) layer.from.disguised = true;
      if (found.length >= maxPayloads) return found;
      if (text === '' || seen.has(text)) continue;
      seen.add(text);
      const tools = [...layer.tools, ...(finding.inside ?? []), finding.tool];
      const one: Found = { text, tools, finding, disguised: false };
      found.push(one);
      if (tools.length < maxDepth) layers.push({ text: text.slice(0, maxLayer), tools, from: one });
    }
  }
  return found;
}

/** The text with every disguise in it replaced, and how much of it was one; null where it has none. */
function readPlainly(text: string, search: Search, depth = 0): { text: string; share: number } | null {
  if (depth === maxDepth || text.length > maxLayer) return null;
  const places = search(text).flatMap(({ readable, replaces, text: decoded }): readonly Replacement[] => {
    if (readable || replaces.length === 0) return replaces;
    const inner = readPlainly(decoded, search, depth + 1);
    return inner ? [{ ...replaces[0]!, by: inner.text }] : [];
  });
  if (places.length === 0) return null;
  const apart = withoutOverlaps(places);
  const replaced = applied(text, { start: 0, end: text.length }, apart).toWellFormed();
  const share = apart.reduce((sum, { start, end }) => sum + end - start, 0) / text.length;
  if (replaced === '' || replaced === text) return null;
  return { text: readPlainly(replaced, search, depth + 1)?.text ?? replaced, share };
}

/** Of replacements of the same place the longest, in the order of the text. */
function withoutOverlaps(places: readonly Replacement[]): Replacement[] {
  const chosen: Replacement[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = chosen.at(-1);
    if (!last || place.start >= last.end) chosen.push(place);
    else if (place.end - place.start > last.end - last.start) chosen[chosen.length - 1] = place;
  }
  return chosen;
}

function noteOn(tools: readonly string[], original: string, length: number): string {
  const done = tools.at(-1) === 'unframed' ? 'Left without its frame' : 'Decoded';
  const how = `${done} from ${tools.toReversed().join(' inside ')}`;
  const excerpt =
    original === '' ? 'characters that are not shown' : `"${cut(original.replace(/\s+/g, ' '), maxExcerpt)}"`;
  const part = length > maxText ? `, the first ${maxText} of ${length} characters` : '';
  return `${how}: ${excerpt}${part}.`;
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text.toWellFormed()
    : `${text
        .slice(0, length - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .toWellFormed()}…`;
}
