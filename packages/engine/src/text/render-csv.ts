/**
 * What an input says, in a cell: one that a spreadsheet would compute is led by an apostrophe, which makes it text
 * there.
 */
export function renderTextCell(value: string): string {
  return /^[\s\u0000-\u001f]*[=+\-@|%＝＋－＠]/.test(value) ? `'${value}` : value;
}

export function renderCsvRow(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
