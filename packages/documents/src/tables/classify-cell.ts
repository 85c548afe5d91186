import { pattern, patternPart } from '@agonhq/engine/text';

/* What the text of a cell is, by its shape: a number, a period, a unit. */

// Bounded: of the longest shape.
const number = pattern('u')`
  ^[([]?\s*[-+−–±~<>≈]?\s*(?:[$€£¥₹]|US\$|USD|EUR|GBP|CHF|JPY|CNY|INR|Rs\.?)?\s*[-+−–(]?\s*
  (?:\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+|\d+)(?:[.,]\d+)?(?:[eE][-+]?\d+)?\s*\)?\s*(?:%|‰|pp|bps?|x|[kKmMbB]|mn|bn
  |[Mm]illions?|[Bb]illions?|[$€£¥]|USD|EUR|GBP|CHF|JPY)?\s*[)\]]?\s*[*†‡]*$`;

const nothing = /^(?:(?:(?:US)?[$€£¥₹]\s*)?[-−–—]+|n\/?a|n\.a\.?|nm|n\.m\.|nil|none|\?)?\s*%?$/iu;

const month = patternPart`
  (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?
  |nov(?:ember)?|dec(?:ember)?)\.?`;

const year = "(?:(?:fy|cy)\\s?)?['’]?(?:(?:19|20)\\d{2}|\\d{2})";
const fullYear = '(?:19|20)\\d{2}';

const periods = [
  `(?:fy|cy|fiscal(?: year)?|year|calendar year)?\\s*${fullYear}\\s*(?:[-–/]\\s*(?:${fullYear}|\\d{2}))?\\s*[aepf]?`,
  `(?:fy|cy)\\s?['’]?\\d{2,4}`,
  '(?:[1-4]q|q[1-4]|h[12]|[12]h|9m|[1-4](?:st|nd|rd|th) quarter|(?:first|second|third|fourth) ' +
    `quarter)(?:\\s*(?:of|[-/])?\\s*${year})?`,
  `${fullYear}\\s*[-/]?\\s*(?:q[1-4]|h[12])`,
  `${month}(?:\\s+\\d{1,2},?)?(?:[\\s-]+(?:${fullYear}|['’]?\\d{2}))?`,
  `\\d{1,2}\\.?\\s+${month}(?:\\s+${fullYear})?`,
  `\\d{4}-\\d{2}(?:-\\d{2})?|\\d{1,2}[./]\\d{1,2}[./](?:\\d{4}|\\d{2})`,
  '(?:(?:for )?the )?(?:(?:three|six|nine|twelve|\\d{1,2}) (?:months|weeks)|(?:fiscal ' +
    ')?(?:years?|quarters?|periods?)) (?:ended|ending)\\b.{0,60}',
  `(?:as (?:of|at)|at|at the end of) .{0,12}${fullYear}`,
  'ytd|ltm|ttm|year to date',
];

// Bounded: of the longest shape.
const period = new RegExp(`^\\(?(?:${periods.join('|')})\\)?(?:\\s*\\((?:un)?audited\\))?[*†]?$`, 'iu');
const money = patternPart`
  (?:US\$|[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|SEK|NOK|DKK|HKD|SGD|KRW|BRL|ZAR|MXN|(?:U\.?S\.? )?dollars
  |euros?|pounds|yen)`;
const scale = "(?:m|mm|mn|mio|bn|k|['’]?000s?|thousands?|millions?|billions?)";
const stated = patternPart`
  (?:(?:all )?(?:amounts?|figures|values|numbers|${money})?\s*(?:are |is |shown |expressed |stated )?in\s
  (?!(?:19|20)\d\d)`;

// Bounded: of the longest shape.
const unit = pattern('iu')`
  ^[([]?\s*(?:${stated}.{2,60})|%|‰|${money}(?:\s?${scale})?|['’]?000s?|thousands?|millions?|billions?|per ?cent
  |units?|(?:un)?audited|restated|note)\s*[)\]]?$`;

// Bounded: of a text with single spaces.
const unitInWords = pattern('iu')`
  (?<![\p{L}\p{N}])(${stated}\s*(?:${money}(?!\s?\d|\p{L})|thousands?\b|millions?\b|billions?\b
  |percent)[^()|.;]{0,50})|${money}\s?${scale}(?!\p{L}))`;

/** No number, period or unit is longer. */
const longest = 200;

/** With single spaces, which the shapes allow in many places: of thousands of them, every split would be tried. */
function hasShape(shape: RegExp, text: string): boolean {
  const spaced = joinSpaces(text.trim());
  return spaced.length <= longest && shape.test(spaced);
}

function joinSpaces(text: string): string {
  return /\s\s/u.test(text) ? text.replace(/\s+/gu, ' ') : text;
}

/** `1,234.56`, `1.234,56`, `$ 4.6m`, `(12)`, `15 %`. */
export function isNumber(text: string): boolean {
  return hasShape(number, text);
}

/** Empty, a dash, `n/a`: a place where a number could stand. */
export function isBlank(text: string): boolean {
  return hasShape(nothing, text);
}

/** `2023`, `Q3 2024`, `FY2023`, `November 30, 2023`, `Year ended December 31, 2023`. */
export function isPeriod(text: string): boolean {
  return hasShape(period, text);
}

/** A cell that says what the numbers near it are counted in: `in millions`, `USD`, `%`, `(unaudited)`. */
export function isUnit(text: string): boolean {
  return hasShape(unit, text);
}

/** `in millions of USD` out of a caption or a header; null when none is said. */
export function findUnit(text: string): string | null {
  return unitInWords.exec(joinSpaces(text))?.[1]?.trim() ?? null;
}

/** A number that is no year: what a table is there to tell. */
export function isData(text: string): boolean {
  return isNumber(text) && !isPeriod(text);
}

const numbered = /^(?:table|exhibit|figure|schedule|chart|tabelle|tableau)\s+(?:[A-Z][.-])?[\dIVX]+/iu;

/** What a sentence says that only leads to a table. */
const leadsOn = pattern('iu')`
  \b(?:as follows|(?:the )?(?:following|below|next) (?:tables?|chart|schedule|summary)
  |(?:tables?|chart|schedule|summary) (?:below|that follows)
  |(?:shown|presented|set forth|summari[sz]ed|set out|listed|given) (?:below|in the (?:following )?table))\b`;

const statesUnit = /^[([]?\s*(?:all\s|the\s)?(?:amounts?|figures|values|numbers|dollars|euros?|data|in)\b/iu;
const abbreviation = /\b(?:inc|corp|co|ltd|llc|plc|bros|etc|no|vol|approx|[A-Z])\.$/iu;

/** Whether a text above a table may name it: a title, "(in millions)", "… were as follows."; no prose. */
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
