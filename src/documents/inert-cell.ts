/**
 * A text that a spreadsheet shows and never calculates, wherever it ends up: for every cell of an exported CSV or sheet.
 *
 * @example inertCell('=HYPERLINK("http://…")') // `'=HYPERLINK("http://…")`
 */
export function inertCell(text: string): string {
  return /^[\s\u0000-\u001f]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) && !/^[+-]?\d+(?:[.,]\d+)*\s?%?$/u.test(text) ? `'${text}` : text;
}
