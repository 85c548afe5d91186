import { pattern } from '@agonhq/engine/text';

/** A cell that a formula names; relative parts move with the formula when it is shared. */
export interface CellReference {
  /** From 0; null for the whole of a row or column. */
  row: number | null;
  column: number | null;
  fixedRow: boolean;
  fixedColumn: boolean;
}

/** A formula as a tree. */
export type Formula =
  | { kind: 'value'; value: number | string | boolean | null }
  | { kind: 'error'; code: string }
  | { kind: 'range'; sheet: string | null; from: CellReference; to: CellReference }
  | { kind: 'name'; name: string }
  | { kind: 'call'; name: string; arguments: readonly Formula[] }
  | { kind: 'prefix' | 'percent'; sign: string; of: Formula }
  | { kind: 'operation'; operator: string; left: Formula; right: Formula };

/** Why a formula has no value here: it is listed as not computed. */
export class NotComputed extends Error {
  override name = 'NotComputed';
}

// Bounded: of the longest formula.
const token = pattern('giuy')`
  \s*(?:(?<number>\d+\.?\d*(?:E[+-]?\d+)?|\.\d+(?:E[+-]?\d+)?)(?![\w:])
  |"(?<text>(?:[^"]|"")*)"
  |(?<error>#(?:DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!))
  |(?:(?<sheet>'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?
   (?<from>\$?[A-Z]{1,3}\$?\d{1,7}|\$?[A-Z]{1,3}(?=:\$?[A-Z])|\$?\d{1,7}(?=:\$?\d))
   (?::(?<to>\$?[A-Z]{1,3}\$?\d{1,7}|\$?[A-Z]{1,3}|\$?\d{1,7}))?(?![\p{L}\p{N}_(.])
  |(?<call>[\p{L}_][\p{L}\p{N}_.]*)\(
  |(?<name>[\p{L}_\\][\p{L}\p{N}_.]*)
  |(?<sign><>|<=|>=|[-+*/^&=<>%(),;]))`;

type Token = Record<string, string | undefined>;

const longest = 4000;
const deepest = 60;

/** Reads a formula, or throws `NotComputed` where it has parts that are not known here. */
export function parseFormula(text: string): Formula {
  if (text.length > longest) throw new NotComputed('it is too long');
  const tokens = splitTokens(text);
  let at = 0;
  let depth = 0;
  const isNext = (sign: string): boolean => tokens[at]?.['sign'] === sign;
  const expect = (sign: string): void => {
    if (!isNext(sign)) throw new NotComputed('it cannot be read');
    at += 1;
  };

  /** Excel's order: comparison, &, sums, products, powers; a sign in front binds strongest. */
  const levels = [['=', '<>', '<', '>', '<=', '>='], ['&'], ['+', '-'], ['*', '/'], ['^']];
  const parseLevel = (level: number): Formula => {
    if (level === levels.length) return parsePercent();
    let left = parseLevel(level + 1);
    for (;;) {
      const operator = tokens[at]?.['sign'];
      if (operator === undefined || !levels[level]!.includes(operator)) return left;
      at += 1;
      left = { kind: 'operation', operator, left, right: parseLevel(level + 1) };
    }
  };
  const parsePercent = (): Formula => {
    let of = parsePrefix();
    while (isNext('%')) {
      at += 1;
      of = { kind: 'percent', sign: '%', of };
    }
    return of;
  };
  const parsePrefix = (): Formula => {
    const sign = tokens[at]?.['sign'];
    if (sign !== '-' && sign !== '+') return parsePart();
    at += 1;
    return nested(() => ({ kind: 'prefix', sign, of: parsePrefix() }));
  };
  const nested = <Result>(parse: () => Result): Result => {
    depth += 1;
    if (depth > deepest) throw new NotComputed('it is nested too deep');
    const result = parse();
    depth -= 1;
    return result;
  };
  const parsePart = (): Formula => {
    const part = tokens[at];
    at += 1;
    if (part === undefined) throw new NotComputed('it cannot be read');
    if (part['number'] !== undefined) return { kind: 'value', value: Number(part['number']) };
    if (part['text'] !== undefined) return { kind: 'value', value: part['text'].replaceAll('""', '"') };
    if (part['error'] !== undefined) return { kind: 'error', code: part['error'].toUpperCase() };
    if (part['from'] !== undefined) return readRange(part);
    if (part['call'] !== undefined) return nested(() => parseCall(part['call']!));
    if (part['name'] !== undefined) return readName(part['name']);
    if (part['sign'] !== '(') throw new NotComputed('it cannot be read');
    return nested(() => {
      const inner = parseLevel(0);
      expect(')');
      return inner;
    });
  };
  const parseCall = (name: string): Formula => {
    const parts: Formula[] = [];
    if (isNext(')')) at += 1;
    else
      for (;;) {
        parts.push(isNext(',') || isNext(')') ? { kind: 'value', value: null } : parseLevel(0));
        if (isNext(')')) break;
        expect(',');
      }
    if (parts.length > 0) expect(')');
    return { kind: 'call', name: name.toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?/u, ''), arguments: parts };
  };
  const formula = parseLevel(0);
  if (at < tokens.length) throw new NotComputed('it cannot be read');
  return formula;
}

function splitTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const source = text.trim().replace(/^=/u, '');
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const match = token.exec(source);
    if (!match)
      throw new NotComputed(/[[\]{}]/u.test(source) ? 'it names a table or another workbook' : 'it cannot be read');
    tokens.push(match.groups!);
  }
  return tokens;
}

function readName(name: string): Formula {
  const word = name.toUpperCase();
  return word === 'TRUE' || word === 'FALSE' ? { kind: 'value', value: word === 'TRUE' } : { kind: 'name', name };
}

function readRange({ sheet, from, to }: Token): Formula {
  const first = readReference(from!);
  return {
    kind: 'range',
    sheet: sheet === undefined ? null : sheet.replace(/^'(.*)'$/u, '$1').replaceAll("''", "'"),
    from: first,
    to: to === undefined ? first : readReference(to),
  };
}

function readReference(text: string): CellReference {
  const match = /^(\$?)([A-Z]*)(\$?)(\d*)$/iu.exec(text)!;
  const letters = match[2]!.toUpperCase();
  return {
    column: letters === '' ? null : parseColumn(letters),
    row: match[4] === '' ? null : Number(match[4]) - 1,
    fixedColumn: match[1] === '$' && letters !== '',
    fixedRow: match[3] === '$' || (letters === '' && match[1] === '$'),
  };
}

/** 1 for `B`. */
export function parseColumn(letters: string): number {
  return Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
