/** The beginning of a dataset, as far as a page can tell. The server reads it whole, and has the last word. */
export interface Preview {
  format: 'jsonl' | 'csv' | 'tsv';
  columns: readonly string[];
  rows: readonly Readonly<Record<string, string>>[];
  /** The first line that cannot be read. */
  problem: string | null;
}

/** Our names for what a dataset has. */
export const fields = ['id', 'text', 'image', 'prompt', 'response'] as const;
export type FieldName = (typeof fields)[number];

const mostRows = 5;

export function detectFormat(name: string): Preview['format'] {
  return /\.csv$/i.test(name) ? 'csv' : /\.(?:tsv|tab)$/i.test(name) ? 'tsv' : 'jsonl';
}

export function isDatasetFile(name: string): boolean {
  return /\.(?:jsonl|ndjson|json|csv|tsv|tab|txt)$/i.test(name);
}

/** `whole` is false when the text was cut off: its last line is not shown then. */
export function readPreview(text: string, format: Preview['format'], whole: boolean): Preview {
  const begun = text.replace(/^\uFEFF/, '');
  return format === 'jsonl' ? readJsonLines(begun, whole) : readTable(begun, format, whole);
}

function readJsonLines(text: string, whole: boolean): Preview {
  const lines = text
    .split('\n')
    .slice(0, whole ? undefined : -1)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');
  const rows: Record<string, string>[] = [];
  for (const { line, number } of lines.slice(0, mostRows)) {
    const row = parseObject(line);
    if (row === null)
      return {
        format: 'jsonl',
        columns: listColumns(rows),
        rows,
        problem:
          `Line ${number} is not a JSON object. Each line must be one, for example ` +
          '{"id":"1","text":"…","image":"cat.png"}.',
      };
    rows.push(
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      ),
    );
  }
  return {
    format: 'jsonl',
    columns: listColumns(rows),
    rows,
    problem: rows.length === 0 ? 'The file is empty.' : null,
  };
}

function parseObject(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function listColumns(rows: readonly Record<string, string>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function readTable(text: string, format: 'csv' | 'tsv', whole: boolean): Preview {
  const records = parseRecords(text, format === 'csv' ? ',' : '\t', whole);
  const [header = [], ...others] = records;
  const columns = header.map((name) => name.trim());
  const rows = others
    .slice(0, mostRows)
    .map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])));
  return { format, columns, rows, problem: rows.length === 0 ? 'The table has no rows below its header.' : null };
}

/** The first records of a table: cells in quotes may hold delimiters, quotes (twice) and line breaks. */
function parseRecords(text: string, delimiter: string, whole: boolean): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endRecord = () => {
    cells.push(cell);
    if (cells.some((one) => one !== '')) records.push(cells);
    [cells, cell] = [[], ''];
  };
  for (let at = 0; at < text.length && records.length <= mostRows; at += 1) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') endRecord();
    else if (character !== '\r') cell += character;
  }
  if (whole && !quoted && records.length <= mostRows) endRecord();
  return records;
}

/** Which column is which of our fields: those that are called so. */
export function guessColumns(columns: readonly string[]): Partial<Record<FieldName, string>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const column = columns.find(
        (name) => name.toLowerCase() === field || (field === 'image' && name.toLowerCase() === 'images'),
      );
      return column === undefined ? [] : [[field, column]];
    }),
  );
}
