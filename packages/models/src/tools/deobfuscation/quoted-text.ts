import { findMatches, pattern } from '@agonhq/engine/text';
import { isRiskWord, isWord } from '@agonhq/engine/language';
import { readWhole, type Finding } from './finding.ts';

const maxLength = 65_536;
const maxPieces = 200;
const fewLetters = 12;

/**
 * What people would read of a program or a piece of data: string literals, values of JSON and YAML, the text of
 * markup, messages of logs, cells of tables. Prose with quotation marks gives nothing.
 *
 * @example quotedText('expect(parse("how are you"))') // [{ text: 'how are you', … }]
 */
export function quotedText(text: string): Finding[] {
  const searched = text.slice(0, maxLength);
  const values = readJson(searched);
  const pieces = values ?? [...readMarkup(searched), ...readLiterals(searched), ...listRecordTexts(searched)];
  const kept = withoutParts(pieces.map((piece) => piece.replace(/\s+/g, ' ').trim()).filter(isSaid)).slice(
    0,
    maxPieces,
  );
  if (kept.length === 0) return values ? listScrambled(text, values) : [];
  const said = kept.join('\n');
  const holdsAll = text.length <= maxLength && saysNothingElse(text, said);
  const found = readWhole('quoted-text', text, said);
  // What is left is syntax, which no guard was made to read.
  return [{ ...found, original: kept[0]!, replaces: holdsAll ? found.replaces : [] }];
}

/** Of data that says nothing in words, the longest value: it may do so in a disguise. */
function listScrambled(text: string, values: readonly string[]): Finding[] {
  const [longest = ''] = values.toSorted((one, other) => other.length - one.length);
  if (longest.length < fewLetters || text.length > maxLength) return [];
  return [{ ...readWhole('quoted-text', text, longest, false), original: longest }];
}

/** Words in a row, in one name or several; keywords in capitals are none. */
const wordsInRow = /(?:(?<![A-Za-z])[A-Z]|(?<![A-Za-z'’])[a-z]?)[a-z'’]+(?:[ _-][a-z'’]+){3,}/g;

function saysNothingElse(text: string, said: string): boolean {
  const bare = (words: string) => words.toLowerCase().replace(/[^a-z]+/g, '');
  const all = bare(said);
  return (text.match(wordsInRow) ?? []).every((row) => all.includes(bare(row)));
}

/** Two ways to read a format may find the same words: what stands in another piece is not said twice. */
function withoutParts(pieces: readonly string[]): string[] {
  const longestFirst = [...new Set(pieces)].slice(0, 4 * maxPieces).toSorted((a, b) => b.length - a.length);
  const bare = (piece: string) => piece.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  const kept: string[] = [];
  for (const piece of longestFirst)
    if (!kept.some((longer) => ` ${bare(longer)} `.includes(` ${bare(piece)} `))) kept.push(piece);
  return kept.toSorted((a, b) => pieces.indexOf(a) - pieces.indexOf(b));
}

/** Words that somebody may read, not a key, a path or a style. */
function isSaid(piece: string): boolean {
  const words = piece.toLowerCase().match(/\p{L}[\p{L}'’]*/gu) ?? [];
  if (words.length === 1) return isRiskWord(words[0]) || /[\u0e00-\u0fff\u3040-\u9fff\uac00-\ud7af]{6}/.test(words[0]);
  if (!/\s/.test(piece)) return false;
  return words.length >= 2 && words.filter((word) => /[^a-z]/.test(word) || isWord(word)).length >= words.length * 0.3;
}

/** The strings of a JSON value, or of one on each line; null for anything else. */
function readJson(text: string): string[] | null {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return null;
  const values = parseAll([trimmed]) ?? parseAll(trimmed.split(/\r?\n/).filter((line) => line.trim() !== ''));
  return values ? values.flatMap(listStrings) : null;
}

function parseAll(texts: readonly string[]): unknown[] | null {
  try {
    return texts.map((text): unknown => JSON.parse(text));
  } catch {
    return null;
  }
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(key.includes(' ') ? [key] : []), ...listStrings(inner)]);
}

const element = /<([a-z][\w-]{0,30})\b[^<>]{0,2000}>[^]*?<\/\1\s*>|<!--[^]*?-->/i;
const inline = /<\/?(?:a|abbr|b|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>/gi;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of HTML or XML with that of its comments, and the attributes that people read. */
function readMarkup(text: string): string[] {
  if (!element.test(text)) return [];
  const attributes = Array.from(
    text.matchAll(/\b(?:alt|title|content|value|placeholder|label|text|data-[\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi),
    ([, double, single]) => double ?? single ?? '',
  );
  const body = text
    .replace(/<!--|-->|<!\[CDATA\[|\]\]>/g, '\n')
    .replace(inline, '')
    .replace(/<\/?[a-z!?][^<>]*>/gi, '\n')
    .split('\n');
  return [...body, ...attributes].map((piece) =>
    piece
      .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: string) => entities[name]!)
      .replace(/&#(\d{2,6});/g, (_entity, digits: string) => String.fromCodePoint(Math.min(Number(digits), 0x10ffff))),
  );
}

const literal = /"""([^]*?)"""|'''([^]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.|'')*)'|`((?:[^`\\]|\\.)*)`/g;
/** What stands before a literal in a program, and never before a quotation in prose. Bounded: of 60 letters. */
const codeBefore = pattern('m')`
  (?:[\w$\])]\(\s*|[\w$\])]\s*(?:[-+*|&?.:]?=|==|=>|<-)\s*|["'\]]\s*:\s*|^[ \t]*-?[ \t]*[\w-]{1,40}:[ \t]+
  |\b(?:return|print|echo|throw|raise|yield|puts)\s+)$`;
const weakBefore = /[[{,(+|?:]\s*$/;
const codeAfter = /^\s*(?:[)\]},;+.|]|$|\?\?|:|#|\/\/|--|(?:AS|AND|OR|FROM|WHERE|LIMIT|ORDER|LIKE|THEN|ELSE|END)\b)/;
const sql = /\b(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|VALUES|WHERE)\b[^]*['"]/;

/** String literals of a program, a query or a line of settings; those joined by `+` are one. */
function readLiterals(text: string): string[] {
  const isQuery = sql.test(text);
  const found: { text: string; end: number }[] = [];
  let strong = isQuery;
  for (const match of findMatches(text, literal)) {
    const { index } = match;
    const end = index + match[0].length;
    const before = text.slice(Math.max(0, index - 60), index).replace(/[fbru]{1,2}$/i, '');
    const isStrong = codeBefore.test(before);
    const last = found.at(-1);
    const joins = last !== undefined && /^[+.&\\]?$/.test(text.slice(last.end, index).trim());
    if (!isStrong && !joins && !((strong || isQuery) && weakBefore.test(before))) continue;
    if (!codeAfter.test(text.slice(end, end + 40)) && !joins && !/^\s*["'`]/.test(text.slice(end, end + 40))) continue;
    strong ||= isStrong;
    const value = unescape(match.slice(1).find((group) => group !== undefined) ?? '', isQuery);
    if (joins && last) Object.assign(last, { text: last.text + value, end });
    else found.push({ text: value, end });
    if (found.length >= maxPieces) break;
  }
  return found.map((piece) => piece.text);
}

const escapes: Record<string, string> = { n: '\n', r: '\n', t: ' ', 0: '' };

function unescape(value: string, isQuery: boolean): string {
  const plain = isQuery ? value.replace(/''/g, "'") : value;
  return plain.replace(
    /\\(?:u\{?([0-9a-f]{4,6})\}?|x([0-9a-f]{2})|(.))/gi,
    (_escape, unicode?: string, byte?: string, character?: string) => {
      const code = unicode ?? byte;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      return escapes[character!] ?? character!;
    },
  );
}

/* Lines of records: settings, logs, tables and the comments of programs. */

const stamp = String.raw`[[(]?\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ,]+\d{1,2}:\d\d(?::\d\d)?\S{0,8})?[\])]?`;
const clock = String.raw`[[(]?\d{1,2}:\d\d:\d\d\S{0,8}[\])]?`;
const level = String.raw`[[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|ALERT)[\])]?:?`;
const where = String.raw`(?:\[[^\]\n]{1,60}\]:?|[\w.$/-]{1,60}(?:\[\d+\])?:|\w{1,20}=[^\s"']{1,60}|-|\|)`;
const logLine = pattern()`
  ^\s*(?:(?:${stamp}|${clock})\s+){1,2}(?:${level}\s+)?(?:${where}\s+){0,6}(\S.*)$
  |^\s*${level}\s+(?:${where}\s+){0,6}(\S.*)$`;
const keyedLine = /^\s*(?:-\s+)?["']?[a-z_][\w.-]{0,40}["']?\s*[:=]\s*((?:\S.*)?)$/;
const commentLine = /(?:^|[;{}),\s])(?:\/\/+|#|--|\/\*+|<!--)\s+(\S.*)$/;
const codeLine = pattern()`
  [;{}]\s*$|^\s*\w+\s*(?:=|\()
  |^\s*(?:def|class|import|const|let|var|function|public|private|#include|SELECT|INSERT|UPDATE)\b`;
const maxLines = 2000;

/** The messages, values, cells and comments of a text that consists of records; none of any other. */
function listRecordTexts(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .slice(0, maxLines)
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) return [];
  return [...readLogs(lines), ...readKeyed(lines), ...readTable(lines), ...readComments(lines)];
}

function readLogs(lines: readonly string[]): string[] {
  const messages = lines.flatMap((line) => {
    const match = logLine.exec(line);
    return match ? [match[1] ?? match[2]!] : [];
  });
  return messages.length >= lines.length * 0.5 ? messages : [];
}

/** YAML, settings and environment files; a block behind `|` or `>` is one value. */
function readKeyed(lines: readonly string[]): string[] {
  const values: string[] = [];
  let keyed = 0;
  let block: number | null = null;
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    if (block !== null && indent > block) {
      values[values.length - 1] += ` ${line.trim()}`;
      keyed += 1;
      continue;
    }
    block = null;
    const match = keyedLine.exec(line);
    const isItem = /^\s*-\s+\S/.test(line);
    if (!match && !isItem && !/^---|^\s*#|^\[[\w.-]+\]$/.test(line)) continue;
    keyed += 1;
    const value = match ? match[1]!.replace(/^(["'])(.*)\1,?$/, '$2') : line.replace(/^\s*-\s+/, '');
    if (match && /^[|>][+-]?$/.test(value)) block = indent;
    values.push(block === null ? value : '');
  }
  const isData = lines.filter((line) => keyedLine.test(line)).length >= (lines[0]!.startsWith('---') ? 1 : 2);
  return isData && keyed >= lines.length * 0.8 ? values : [];
}

/** Comma-, semicolon- or tab-separated values below a line of short names. */
function readTable([header = '', ...rows]: readonly string[]): string[] {
  if (rows.length === 0) return [];
  for (const separator of [',', ';', '\t', '|']) {
    const names = splitCells(header, separator);
    if (names.length < 2 || !names.every((name) => /^\s*[a-z_][\w-]{0,30}\s*$/i.test(name))) continue;
    const cells = rows.map((row) => splitCells(row, separator));
    if (cells.filter((row) => row.length === names.length).length >= rows.length * 0.6) return cells.flat();
  }
  return [];
}

function splitCells(line: string, separator: string): string[] {
  const cells = [''];
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '"' && quoted && line[at + 1] === '"') at += 1;
    else if (character === '"') {
      quoted = !quoted;
      continue;
    }
    if (character === separator && !quoted) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells;
}

/** What a program says beside its code. */
function readComments(lines: readonly string[]): string[] {
  const code = lines.filter((line) => codeLine.test(line)).length;
  if (code === 0) return [];
  return lines.flatMap((line) => {
    const match = commentLine.exec(line);
    return match ? [match[1]!.trimEnd().replace(/(?:\*\/|-->)$/, '')] : [];
  });
}
