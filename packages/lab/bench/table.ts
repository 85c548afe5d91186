type Cell = string | number;

/** A Markdown table with aligned columns: it reads well in a terminal and goes into the docs as it is. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} ` +
    '|';
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(cells[0]!), rule, ...cells.slice(1).map(line)].join('\n');
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function decimals(value: number, digits: number): string {
  return value.toFixed(digits);
}
