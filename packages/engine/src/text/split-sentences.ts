import { pattern, wordSet } from './pattern.ts';
/** What stands between the parts of a message that a model reads as one: text and image, prompt and reply. */
export const partSeparator = ' || ';

/** The parts of a message as one text, and where each of them stands in it. */
export function joinParts(parts: readonly string[]): { text: string; places: { start: number; end: number }[] } {
  let start = 0;
  const places = parts.map(({ length }) => {
    const place = { start, end: start + length };
    start = place.end + partSeparator.length;
    return place;
  });
  return { text: parts.join(partSeparator), places };
}

/** A stretch of a text, in UTF-16 code units. */
export interface TextRange {
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Never the end of a sentence: something belongs to it that follows. */
const leading = pattern('u')`
  (?:^|[^\p{L}\p{N}])(?:Mr|Mrs|Ms|Dr|Prof|St|Gen|Col|Lt|Sgt|Capt|Hon|Rev|Messrs|vs|v|e\.\s?g|i\.\s?e|cf|viz|al|ca
  |approx|est|No|Nos|Nr|Fig|Figs|Eq|Sec|Sect|Art|Ch|Vol|pp|para|Rs|z|d|u|z\.\s?B|bzw|ggf)\.$`;
/** The same in other languages: no word of English is among them. */
const leadingElsewhere = wordSet(`
  Sra Srta Sres Dra Dña Exmo Exma Mme Mlle Sig Dott Avv Dhr dhr Mevr mevr Hr Fr Frl Str ul godz pkt Np np tzn m.in ул пр
  стр тел обл т.е г-н г-жа Bpk Jl Sdr Örn örn bkz डॉ प्रो सुश्री श्रीमती`);
const before = {
  /** A date in German, Dutch, Polish, Turkish: "am 3. Oktober". */
  month: pattern('iu')`
    ^(?:Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Dezember|januari|februari|maart
    |stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia
    |Ocak|Şubat|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık)(?!\p{L})`,
  /** The months that English calls the same, after a word that is none of its own. */
  sharedMonth: /^(?:April|August|September|November)(?!\p{L})/u,
  /** EE. UU. */
  states: /^UU\./u,
};
/** May end a sentence: what follows decides. */
const trailing = pattern('u')`
  (?:^|[^\p{L}\p{N}])(?:Inc|Corp|Co|Cos|Ltd|Bros|LLC|L\.L\.C|L\.P|plc|S\.A|N\.V|Jr|Sr|Esq|etc|a\.m|p\.m|Jan|Feb|Mar
  |Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Dept|Div|avg|max|min|Mio|Mrd|bn|mn|Ph\.D|M\.D|(?<!\d\s)\p{Lu}
  |(?:\p{L}\.)+\p{L})\.$`;
/** Words that begin a sentence far more often than they go on with one. */
const opener = pattern('u')`
  ^["'“‘(]*(?:The|This|That|These|Those|There|Then|They|It|Its|In|On|At|As|An?|And|But|By|For|From|If|Our|We|He|She
  |His|Her|However|Moreover|Total|Although|While|When|With|After|Before|During|Since|Such|To|Under|You|Your|No|Not
  |Net|All|Both|Each|Most|Some|Sales|Revenues?|Growth|Management|Operating)(?:[\s,'’]|$)`;
const enumerator = /^\s*[([]?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]\s*$/u;
const asideEnd = /[!?…]["'”’)\]]*\s*$/u;
/** The segmenter never begins a sentence with a number that a small letter follows: "Sales fell. 2023 was better." */
const numberBegins = pattern('gu')`
  (?<=(?<!\p{L})(?!(?:incl|excl|resp|misc)\.)\p{Ll}{4,}\.|\p{Nd}{2}\.|[%)]\.)\s+(?=\p{Nd}+(?:[.,]\p{Nd}+)*\s+\p{Ll})`;
const quotedSpeech = /[。！？][」』]$/u;
/** The segmenter leaves an opening mark at the end of what it closes where no space parts them (Chinese, Japanese). */
const openingMarks = /(?<=[。！？][」』”’）]?)[「『“‘（《〈【]+$/u;
/** Thai and Lao part clauses by a space, and end sentences by nothing else. */
const clauseGap = /(?<=[\u0e00-\u0eff]{12})[ \u00a0]+(?=[\u0e00-\u0eff])/gu;
/** A period before a closing bracket, and no space after it: the sentence goes on around the brackets. */
const bracketed = /\.[）」』)]$/u;
const wordless = /^[^\p{L}\p{N}]*$/u;

/**
 * The sentences of a text, without the white space around them: in order, none overlapping, together every letter of
 * it. A line break is white space, unless each line stands by itself, as the items of a list do.
 *
 * @example splitSentences('Acme Inc. grew 3.5 %. Costs fell.') // [{ start: 0, end: 21 }, { start: 22, end: 33 }]
 */
export function splitSentences(text: string, options: { linesApart?: boolean } = {}): TextRange[] {
  if (!options.linesApart) return sentencesWithin(text, 0);
  let offset = 0;
  return text.split('\n').flatMap((line) => {
    const sentences = sentencesWithin(line, offset);
    offset += line.length + 1;
    return sentences;
  });
}

function sentencesWithin(text: string, offset: number): TextRange[] {
  // The segmenter ends a sentence at every line break; a wrapped line is no end. The same length keeps the offsets.
  const flat = text.replace(/[\n\r\u0085\u2028\u2029]/g, ' ');
  const found: TextRange[] = [];
  let start = 0;
  for (const end of endsIn(flat)) {
    if (end < flat.length && goesOn(flat, start, end)) continue;
    add(found, flat, start, end);
    start = end;
  }
  return found.map((sentence) => ({ start: sentence.start + offset, end: sentence.end + offset }));
}

/** Where a sentence may end. */
function* endsIn(text: string): Generator<number> {
  let start = 0;
  for (const end of segmentEnds(text)) {
    for (const gap of text.slice(start, end).matchAll(numberBegins)) yield start + gap.index + gap[0].length;
    yield end;
    start = end;
  }
}

/** Where the segmenter ends a sentence, mended for scripts without spaces. */
function* segmentEnds(text: string): Generator<number> {
  for (const { segment, index } of segmenter.segment(text)) {
    if (!/[\u0e00-\uffff]/.test(segment)) {
      yield index + segment.length;
      continue;
    }
    for (const gap of segment.matchAll(clauseGap)) yield index + gap.index + gap[0].length;
    yield index + (openingMarks.exec(segment)?.index ?? segment.length);
  }
  yield text.length;
}

/** Whether a period belongs to an abbreviation or a number of a language other than English. */
function abbreviatesElsewhere(tail: string, next: string): boolean {
  const last = lastWord.exec(tail)?.[1];
  if (last === undefined) return false;
  if (leadingElsewhere.has(last)) return true;
  if (last === 'EE') return before.states.test(next);
  if (last.length > 2 || !/^\d+$/.test(last)) return false;
  return before.month.test(next) || (dayOf.test(tail) && before.sharedMonth.test(next));
}

const lastWord = /(?<![\p{L}\p{M}\p{N}.-])([\p{L}\p{M}\p{N}.-]+)\.$/u;
const dayOf = /(?<!\p{L})(?:[Aa]m|[Vv]om|[Zz]um|dem|den) \d+\.$/u;

function goesOn(text: string, start: number, end: number): boolean {
  const said = text.slice(start, end);
  const tail = said.trimEnd().slice(-16);
  const next = text.slice(end, end + 24).trimStart();
  if (enumerator.test(said) || leading.test(tail) || abbreviatesElsewhere(tail, next)) return true;
  if (bracketed.test(said) && /^[\p{L}\p{N}]/u.test(text.slice(end))) return true;
  if (quotedSpeech.test(tail) && /^(?:と|って)/u.test(next)) return true;
  if (trailing.test(tail)) return !opener.test(next);
  return asideEnd.test(tail) && /^["'”’)\]]*\s*\p{Ll}/u.test(next);
}

function add(found: TextRange[], text: string, start: number, end: number): void {
  const sentence = trimRange(text, start, end);
  if (!sentence) return;
  const previous = found.at(-1);
  // Left-over quotation marks and dots belong to what they close.
  if (previous !== undefined && wordless.test(text.slice(sentence.start, end))) previous.end = sentence.end;
  else found.push(sentence);
}

const abbreviation =
  /(?:^|[^\p{L}])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Col|Lt|Sgt|vs|e\.g|i\.e|No|Fig|U\.S|U\.K)\.\s*$/u;

/**
 * The sentences of a message that a guard reads: as the segmenter finds them, but for a few abbreviations; a line
 * break ends one, and none reaches across the separator of its parts. The guard's weights were fitted on these.
 */
export function splitMessageSentences(message: string): TextRange[] {
  const sentences: TextRange[] = [];
  let offset = 0;
  for (const part of message.split(partSeparator)) {
    let start = 0;
    for (const end of segmentEnds(part)) {
      const tail = part.slice(Math.max(start, end - 12), end);
      if (
        end < part.length &&
        (abbreviation.test(tail) || abbreviatesElsewhere(tail.trimEnd(), part.slice(end, end + 24)))
      )
        continue;
      const range = trimRange(part, start, end);
      if (range) sentences.push({ start: offset + range.start, end: offset + range.end });
      start = end;
    }
    offset += part.length + partSeparator.length;
  }
  return sentences;
}

/** Without the white space around it; null where nothing else is there. */
function trimRange(text: string, start: number, end: number): TextRange | null {
  const stretch = text.slice(start, end);
  const trimmed = stretch.trimStart();
  if (trimmed === '') return null;
  const from = start + stretch.length - trimmed.length;
  return { start: from, end: from + trimmed.trimEnd().length };
}
