/**
 * The rows of a CSV text (RFC 4180): quoted fields may hold commas, doubled quotes and line breaks. Blank lines are
 * left out.
 */
export function parseCsvRows(text: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let line = 1;
  let started = 1;
  let cells: string[] = [];
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy;
  while (field.lastIndex < text.length || cells.length > 0) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new SyntaxError(`a quote is out of place in line ${line}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    line += match[0].split('\n').length - 1;
    if (match[3] === ',') continue;
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: started, cells });
    cells = [];
    started = line;
    if (field.lastIndex === at) break;
  }
  return rows;
}
