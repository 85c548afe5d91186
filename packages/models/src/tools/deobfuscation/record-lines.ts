import { pattern } from '@agonhq/engine/text';

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
export function listRecordTexts(text: string): string[] {
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
