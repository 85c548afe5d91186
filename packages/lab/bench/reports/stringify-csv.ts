/** Rows as CSV, with quotes where a field needs them. */
export function stringify(rows: readonly (readonly string[])[], delimiter: string): string {
  const field = (text: string): string =>
    /["\n\r]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  return `${rows.map((row) => row.map(field).join(delimiter)).join('\n')}\n`;
}
