import type { Block, Dossier, NumberPlace, ReportDocument, Sentence } from '@agonhq/documents';
import { isCommonStem, joinPlainWords, type WordToken, tokenize } from '@agonhq/engine/text';

/** A sentence of a dossier, or a row of a table, with its words. */
export interface WeighedLine {
  document: ReportDocument;
  block: Block;
  sentence: Sentence;
  /** `report.pdf#b12`. */
  blockId: string;
  /** As it stands in the document: what is quoted. */
  text: string;
  tokens: readonly WordToken[];
  /** How often each stem stands in it; of a row also those of its headers. */
  stems: ReadonlyMap<string, number>;
  length: number;
}

/** The lines of a dossier with how rare each word is in it. */
export interface Lines {
  all: readonly WeighedLine[];
  /** The highest for words that are nowhere. */
  rarity(stem: string): number;
  has(stem: string): boolean;
}

const known = new WeakMap<Dossier, Lines>();

/** Reads a dossier into lines, once. */
export function listLines(dossier: Dossier): Lines {
  let lines = known.get(dossier);
  if (!lines) known.set(dossier, (lines = readLines(dossier)));
  return lines;
}

/** The lines without a claim's own sentence, wherever it is said again: it proves nothing for itself. */
export function dropOrigin(lines: Lines, origin: NumberPlace | null): Lines {
  if (!origin) return lines;
  const own = lines.all.filter(
    ({ blockId, sentence }) => blockId === origin.block && sentence.end > origin.start && sentence.start < origin.end,
  );
  const sayings = own.map(({ tokens, text }) => ({ length: tokens.length, saying: joinPlainWords(text) }));
  const isOwn = (line: WeighedLine): boolean =>
    sayings.some(({ length, saying }) => length === line.tokens.length && saying === joinPlainWords(line.text));
  return { ...lines, all: lines.all.filter((line) => !isOwn(line)) };
}

function readLines({ documents }: Dossier): Lines {
  const all = documents.flatMap((document) =>
    document.blocks.flatMap((block) =>
      block.kind === 'heading' ? [] : block.sentences.map((sentence) => buildLine(document, block, sentence)),
    ),
  );
  const spread = new Map<string, number>();
  for (const { stems } of all) for (const stem of stems.keys()) spread.set(stem, (spread.get(stem) ?? 0) + 1);
  return {
    all,
    rarity: (stem) => Math.log(1 + (all.length + 1) / ((spread.get(stem) ?? 0) + 0.5)),
    has: (stem) => spread.has(stem),
  };
}

function buildLine(document: ReportDocument, block: Block, sentence: Sentence): WeighedLine {
  const text = document.text.slice(sentence.start, sentence.end);
  const tokens = tokenize(text);
  const stems = new Map<string, number>();
  const context =
    sentence.narrative === undefined ? [] : tokenize(`${sentence.narrative} ${block.section.at(-1) ?? ''}`);
  for (const { stem } of [...tokens, ...context]) if (!isCommonStem(stem)) stems.set(stem, (stems.get(stem) ?? 0) + 1);
  return {
    document,
    block,
    sentence,
    blockId: `${document.name}#${block.id}`,
    text,
    tokens,
    stems,
    length: tokens.length + context.length,
  };
}

export interface RankedLine {
  line: WeighedLine;
  score: number;
}

const saturation = 1.2;
const lengthShare = 0.5;

/** The lines nearest to some words, by BM25: rare words and numbers count most. */
export function rankLines(stems: Iterable<string>, lines: Lines, most: number): RankedLine[] {
  const asked = Array.from(new Set(stems)).filter((stem) => lines.has(stem) && !isCommonStem(stem));
  const mean = lines.all.reduce((sum, { length }) => sum + length, 0) / (lines.all.length || 1);
  const ranked: RankedLine[] = [];
  for (const line of lines.all) {
    let score = 0;
    for (const stem of asked) {
      const count = line.stems.get(stem);
      if (count !== undefined)
        score +=
          (lines.rarity(stem) * (count * (saturation + 1))) /
          (count + saturation * (1 - lengthShare + lengthShare * (line.length / mean)));
    }
    if (score > 0) ranked.push({ line, score });
  }
  return ranked.sort((a, b) => b.score - a.score).slice(0, most);
}
