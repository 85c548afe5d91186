import { shortenCharacters } from '../../text/index.ts';

/** A name in a table, a heading or a legend. */
export function shortName(text: string): string {
  return shortenCharacters(text, 96);
}
