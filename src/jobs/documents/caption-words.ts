import { findUnit } from './tables/classify-cell.ts';

const numbered = /^(?:table|exhibit|figure|schedule|chart|tabelle|tableau)\s+(?:[A-Z][.-])?[\dIVX]+/iu;
/** What a sentence says that only leads to a table. */
const leadsOn =
  /\b(?:as follows|(?:the )?(?:following|below|next) (?:tables?|chart|schedule|summary)|(?:tables?|chart|schedule|summary) (?:below|that follows)|(?:shown|presented|set forth|summari[sz]ed|set out|listed|given) (?:below|in the (?:following )?table))\b/iu;
const statesUnit = /^[([]?\s*(?:all\s|the\s)?(?:amounts?|figures|values|numbers|dollars|euros?|data|in)\b/iu;
const abbreviation = /\b(?:inc|corp|co|ltd|llc|plc|bros|etc|no|vol|approx|[A-Z])\.$/iu;

/**
 * Whether a text above a table may name it and say its unit: a title, "(in millions)", "Table 3.", "… were as
 * follows." Not a sentence of the prose.
 */
export function isTableCaption(text: string): boolean {
  return (
    !isSentence(text) ||
    numbered.test(text) ||
    leadsOn.test(text) ||
    (statesUnit.test(text) && findUnit(text) !== null) ||
    hasBracketedUnit(text)
  );
}

function isSentence(text: string): boolean {
  return /[.!?。]["”’]?$/u.test(text) && !abbreviation.test(text);
}

function hasBracketedUnit(text: string): boolean {
  return [...text.matchAll(/[([][^()[\]]+[)\]]/gu)].some(([bracketed]) => findUnit(bracketed) !== null);
}
