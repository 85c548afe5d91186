import { createRequire } from 'node:module';
import { isEnglish, isWord } from '@agonhq/engine/language';
import { type Finding, type Replacement, rewrite } from './finding.ts';
import { findMatches, pattern } from '@agonhq/engine/text';

/** Greek, Coptic, Cyrillic, Armenian and Cherokee, whose letters pass for Latin ones; Roman numerals, ɑ and ɡ. */
const foreign = /[\u0251\u0261\u0370-\u058f\u13a0-\u13ff\u1c80-\u1c8f\u2160-\u217f]/;
const words = /[A-Za-z\u0251\u0261\u0370-\u058f\u13a0-\u13ff\u1c80-\u1c8f\u2160-\u217f]{1,40}/g;
/** Cyrillic letters that cannot be told from Latin ones on a screen. */
const twins = /^[A-Za-zаеорсухіјѕһԁԛԝӏАВЕЅІЈКМНОРСТУХ]+$/;
/** Mathematical, circled, squared and full-width letters, and small capitals: whole words in costume. */
const styledWords = pattern('gu')`
  [\u{1d400}-\u{1d7ff}\u{1f110}-\u{1f189}\u2100-\u214f\u24b6-\u24e9\uff21-\uff3a\uff41-\uff5a
  ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢsx]{3,40}`;
const anyStyled =
  /[\u{1d400}-\u{1d7ff}\u{1f110}-\u{1f189}\u24b6-\u24e9\uff21-\uff3a\uff41-\uff5a\u1d00-\u1d22ʟɪʙɢʜɴʀ]/u;
const ideographic = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Words spoofed with letters of another script (`kіll` with a Cyrillic і) or in costume (`𝓀𝒾𝓁𝓁`, `ｋｉｌｌ`).
 * A text in another script, a Greek symbol in a formula or a Russian ending on an English name is none of these.
 */
export function homoglyphs(text: string): Finding[] {
  const spoofs = foreign.test(text) ? spoofed(text) : [];
  const costumes = anyStyled.test(text) ? costumed(text) : [];
  return rewrite('homoglyphs', text, spoofs.concat(costumes));
}

function spoofed(text: string): Replacement[] {
  const isLatinText = mostlyLatin(text);
  const found: Replacement[] = [];
  const others: (Replacement & { isMixed: boolean; known: boolean })[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    if (!foreign.test(word)) continue;
    const by = latinised(word);
    if (by === null) continue;
    const isMixed = /[A-Za-z]/.test(word);
    const isKnown = isEnglish(by.toLowerCase());
    const isTwin = twins.test(word);
    const isSpoof = isMixed ? isKnown || (isTwin && isLatinText) : isLatinText && isKnown && isTwin && by.length >= 4;
    const place = { start: index, end: index + word.length, by };
    const isSuffix = /['’]/.test(text[index - 1] ?? '');
    if (word.length >= (isMixed && isTwin ? 2 : 3) && isSpoof) found.push(place);
    else others.push({ ...place, isMixed, known: isSuffix || isWord(by.toLowerCase()) });
  }
  const mixed = others.filter(({ isMixed, known, by }) => isMixed && known && by.length >= 3);
  const distinct = new Set([...found, ...mixed].map(({ by }) => by.toLowerCase())).size;
  // In a text that is written so throughout, the rest is what it looks like, too.
  const isManner =
    (distinct >= 3 || mixed.length >= 2) && found.length + mixed.length >= 0.3 * (found.length + others.length);
  if (!isManner) return found;
  return [...found, ...others.filter(({ known, by }) => known || by.length >= 4)];
}

function costumed(text: string): Replacement[] {
  const found: Replacement[] = [];
  const isIdeographic = ideographic.test(text);
  for (const { 0: word, index } of findMatches(text, styledWords)) {
    if (!anyStyled.test(word) || (isIdeographic && /[\uff00-\uffef]/.test(word))) continue;
    const by = latinised(word.normalize('NFKC'));
    if (by === null) continue;
    if (isEnglish(by.toLowerCase())) found.push({ start: index, end: index + word.length, by });
    else if (by.length >= 5 && /[aeiouy]/i.test(by)) found.push({ start: index, end: index + word.length, by });
  }
  return found.some((word) => isEnglish(word.by.toLowerCase())) ? found : [];
}

function latinised(word: string): string | null {
  let latin = '';
  for (const character of word) {
    const twin = character < '\u0080' ? character : confusables().get(character);
    if (twin === undefined || !/^[A-Za-z]+$/.test(twin)) return null;
    latin += character === character.toLowerCase() ? twin.toLowerCase() : twin;
  }
  return latin;
}

/** What may be put between letters to part them. */
const parting = /(?<=(?<!\p{L})[\p{L}\d])[\s.·•_*|~/\\+=-]{1,3}(?=[\p{L}\d](?!\p{L}))/gu;
/** A letter of another script beside one of Latin, or what may stand for one. */
const mixed = /[a-z\d][^\p{Script=Latin}\P{L}]|[^\p{Script=Latin}\P{L}][a-z\d]/giu;

/**
 * A text whose words mix scripts with each of its letters by the Latin one that it looks like; letters in costume too.
 */
export function readLookAlikes(text: string): string {
  const plain = anyStyled.test(text) && !ideographic.test(text) ? text.replace(styledWords, toLatin) : text;
  if (!foreign.test(plain)) return plain;
  const mixtures = plain.replace(parting, '').match(mixed)?.length ?? 0;
  return mixtures >= (mostlyLatin(plain) ? 1 : 2) && mostlyLatin(plain, 0.25) ? plain.replace(words, toLatin) : plain;
}

function toLatin(word: string): string {
  return latinised(word.normalize('NFKC')) ?? word;
}

function mostlyLatin(text: string, times = 4): boolean {
  const sample = text.slice(0, 20_000);
  const latin = sample.match(/[A-Za-z]/g)?.length ?? 0;
  const other = sample.match(/[\u0370-\u058f\u13a0-\u13ff]/g)?.length ?? 0;
  return latin >= times * other;
}

let characters: ReadonlyMap<string, string> | undefined;

/** Loaded when a text first needs it: the table takes longer to load than all the rest of the tools. */
function confusables(): ReadonlyMap<string, string> {
  characters ??= (createRequire(import.meta.url)('confusables') as typeof import('confusables')).confusablesMap;
  return characters;
}
