/** The API for people: a page without any outside script. */
export function docsPage(_document: Record<string, unknown>): string {
  throw new Error('not written yet');
}
