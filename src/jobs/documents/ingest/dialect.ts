import { parse } from 'csv-parse/sync';

export interface Dialect {
  delimiter: string;
  quote: string | false;
  /** Most rows have so many. */
  columns: number;
}

const delimiters = [',', ';', '\t', '|', '#'];
const sampleRows = 100;
const sampleCharacters = 50_000;

/** How a file separates its values: what gives the most rows the same number of columns, and then the most columns. */
export function detectDialect(text: string): Dialect {
  const cut =
    text.length > sampleCharacters
      ? text.slice(0, text.lastIndexOf('\n', sampleCharacters) + 1 || sampleCharacters)
      : text;
  const quote = /(?:^|[,;\t|#])'[^'\n]*'(?=[,;\t|#\n])/u.test(cut) && !cut.includes('"') ? "'" : '"';
  let best: Dialect & { share: number } = { delimiter: ',', quote, columns: 1, share: 0 };
  for (const delimiter of delimiters) {
    const rows = parseSample(cut, { delimiter, quote }) ?? parseSample(cut, { delimiter, quote: false }) ?? [];
    const counts = new Map<number, number>();
    for (const row of rows) if (row.length > 1) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    const [columns, count] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
    const share = count / Math.max(1, rows.length);
    if (share > best.share || (share === best.share && columns > best.columns))
      best = { delimiter, quote, columns, share };
  }
  return best.share < 0.3
    ? { delimiter: ',', quote, columns: 1 }
    : { delimiter: best.delimiter, quote, columns: best.columns };
}

/** Null where quotes do not match. */
function parseSample(
  text: string,
  { delimiter, quote }: { delimiter: string; quote: string | false },
): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      quote,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: sampleRows,
    });
  } catch {
    return null;
  }
}
