import type { Observation } from '../../debate/index.ts';
import type { Source } from '../../evidence/index.ts';
import { base64, hex, entities, escapes, urlEncoding } from './decode.ts';
import type { Technique } from './finding.ts';
import { homoglyphs } from './homoglyphs.ts';
import { directionOverrides, invisibleCharacters, smuggledText } from './invisible.ts';
import { leetspeak, spacedLetters } from './leetspeak.ts';
import { respelledText } from './find-respelled.ts';

const techniques: readonly Technique[] = [
  smuggledText,
  invisibleCharacters,
  directionOverrides,
  homoglyphs,
  base64,
  hex,
  urlEncoding,
  entities,
  escapes,
  leetspeak,
  spacedLetters,
  respelledText,
];
const maxDepth = 3;
const maxObservations = 10;
const maxPayloads = 40;
const maxText = 4000;
const maxLayer = 65_536;
const maxExcerpt = 60;

interface Layer {
  text: string;
  /** What was taken off so far, outermost first. */
  tools: readonly string[];
}

/**
 * Reads what hides in a text: payloads (base64, hex, URL-encoding, entities, escapes, rot13, reversal), disguised
 * letters (leetspeak, homoglyphs, letters spelled out) and characters nobody sees; also one inside another.
 * Ordinary text in any language gives nothing.
 *
 * @example deobfuscate({ id: 'text', text: 'k1ll' }) // [{ id: 'text/decoded-1', tool: 'leetspeak', text: 'kill', … }]
 */
export function deobfuscate(source: Source): Observation[] {
  const observations: Observation[] = [];
  const seen = new Set([source.text]);
  const layers: Layer[] = [{ text: source.text, tools: [] }];
  let payloads = 0;

  for (let layer = layers.shift(); layer; layer = layers.shift()) {
    for (const technique of techniques) {
      for (const finding of technique(layer.text)) {
        const text = finding.text.trim().toWellFormed();
        if (observations.length >= maxObservations || payloads >= maxPayloads) return observations;
        if (text === '' || seen.has(text)) continue;
        seen.add(text);
        payloads += 1;
        const tools = [...layer.tools, finding.tool];
        if (tools.length < maxDepth) layers.push({ text: text.slice(0, maxLayer), tools });
        if (!finding.readable) continue;
        observations.push({
          id: `${source.id}/decoded-${observations.length + 1}`,
          text: cut(text, maxText),
          tool: finding.tool,
          of: source.id,
          note: noteOn(tools, finding.original, text.length),
        });
      }
    }
  }
  return observations;
}

function noteOn(tools: readonly string[], original: string, length: number): string {
  const how = `Decoded from ${tools.toReversed().join(' inside ')}`;
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
