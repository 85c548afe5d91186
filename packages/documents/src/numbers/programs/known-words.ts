import type { TypedTable } from './typed-table.ts';
import { pattern, stemAll, stemWithIrregulars, wordSet } from '@agonhq/engine/text';

/** Words of statements that name nothing a table would have to know: how things are said, weighed and ordered. */
const fillers = stemAll(`
  report say show see note state record post register log book list present display reveal indicate suggest remain
  stay stand come go make take bring give get reach hit achieve manage deliver generate contribute account represent
  make up comprise constitute amount total equal average mean median rank place position lead leader top bottom
  highest lowest largest smallest biggest greatest fewest most least best worst strong strongest weak weakest high low
  higher lower large larger small smaller big bigger great greater few fewer more less than above below over under
  beyond exceed surpass overtake outpace outstrip outperform trail lag beat top ahead behind compare comparison versus
  against relative grow growth rise increase climb gain jump surge soar expand improve improvement advance fall
  decline decrease drop shrink slip ease reduce reduction plunge weaken deteriorate worsen lose narrow widen contract
  slide dip sink halve double triple quadruple fold time twice half third quarter fifth tenth majority minority
  percent percentage point basis share proportion part portion whole rate ratio per every each all both none no never
  always only just still already again once further also even nearly almost about around roughly approximately some
  exactly precisely slightly markedly sharply significantly considerably strongly modestly steadily continuously
  consistently uninterrupted interruption setback consecutive straight successive row throughout without break single
  first second third fourth fifth last final next previous prior earlier later year month week day quarter half period
  annual annually quarterly monthly time end start beginning begin open close finish between from to until since
  during within among together combined combine sum overall altogether jointly cumulative difference gap distance
  change move movement development trend direction peak trough bottom maximum minimum record level value figure number
  count amount total result performance respectively while whereas however meanwhile whole entire clear clearly
  comfortable comfortably narrowly well far much little lot bit fairly rather quite very too so such follow following
  followed like same similar different equal unchanged flat stable steady constant plateau one two three four five six
  seven eight nine ten eleven twelve dozen hundred thousand million billion there here it they this that these those
  he she its their our we us company group organisation organization report reporting business management board
  segment region division department site unit category line item entry entity branch product country area market
  team programme program project plant station school ward clinic location location store city district zone channel
  have has had be is was were do did does will would can could may might recent latest current table data overview
  fact turn keep hold continue tend prove mark set see saw seen account responsible largely mainly mostly partly
  solid robust healthy notable remarkable impressive encouraging disappointing respectable pleasing sound key main
  major minor important bulk lion's stretch span course whole round up down out off back near close short
  narrow wide broad pace fast faster fastest slow slower slowest quick rapid rapidly gradual gradually sequential
  compound addition additional plus minus less net lowest-ranked runner-up heaviest lightest longest shortest busiest
  quietest costliest cheapest richest poorest youngest oldest newest biggest-selling
  stood came went brought fell rose led held kept left made met saw sold sank shrank spent took won gave got knew put
  ran sat sent shown slid sprang stuck swung thought told understood wrote grew began became bought built chose drew
  drove felt found fought gained lay lent meant paid read said sought sold struck taught threw beaten driven fallen
  given gone grown known risen run seen spoken taken thrown worn written after before across along amid around as at
  because besides beside but by despite except for if in inside into like minus near of off on onto opposite or other
  outside past per plus since than through till toward towards underneath unlike unless until upon via when where
  whether which who whom whose why with within many several any another either neither none else enough own various
  certain whose what how now then today ago alone apart aside away forward together thus therefore hence indeed
  instead perhaps likely especially particular particularly mainly chiefly notably finally lastly firstly mark line
  good bad better worse new old long short early late full empty true false right wrong ever field matter concern
  tally score notch clock chalk rack run tot sum add plus extra further onward upward downward upwards downwards
  slice chunk piece fraction contribution contributor role factor multiple multiply magnitude order extent degree
  year-end month-end outcome conclusion summary light view term terms respect regard basis`);

/** What narrows a measure down whatever its ending is. */
const restricting = wordSet(`
  adjusted restated diluted recurring underlying deferred weighted estimated budgeted planned forecast projected
  expected targeted accrued leased rented owned unpaid`);

/** Whether a word names nothing: as one that is listed, or by its form, as manner and participles do. */
export function judgeFiller(text: string, stem: string): 'listed' | 'form' | 'none' {
  const lower = text.toLowerCase();
  if (restricting.has(lower)) return 'none';
  if (lower.includes('-'))
    return lower.split('-').every((part) => isFiller(part, stemWithIrregulars(part))) ? 'listed' : 'none';
  if (fillers.has(stem) || fillers.has(lower) || lower.length < 2) return 'listed';
  return /^\p{Ll}+(?:ly|ed|ing)$/u.test(text) ? 'form' : 'none';
}

export function isFiller(text: string, stem: string): boolean {
  return judgeFiller(text, stem) !== 'none';
}

const before = pattern('iu')`\b(?:of|in|for|from|at|per|by|on|to|the|its|our|their)\s+(?:the\s+|its\s+|our\s+)?$`;

/** Whether a word that nobody knows says which one is meant: a name, or right beside what is measured. */
export function narrows(
  text: string,
  { start, end }: { start: number; end: number },
  others: readonly { start: number; end: number }[],
): boolean {
  if (/\p{Lu}/u.test(text[start]!) && start > 0) return true;
  if (restricting.has(text.slice(start, end).toLowerCase())) return true;
  // "Complaints in Ashby", "Complaints rose": what a clause begins with is what it measures.
  const leads = /^(?:the|our|its|their|total|in)?$/i.test(text.slice(0, start).trim());
  const isOf = (other: { start: number }): boolean =>
    /^\s+(?:in|of|at|for|from|by)\s+(?:the\s+)?$/i.test(text.slice(end, other.start));
  if (leads || others.some(isOf)) return true;
  const beside = others.some(
    (other) => (other.start >= end && other.start - end <= 1) || (start >= other.end && start - other.end <= 1),
  );
  return beside || before.test(text.slice(0, start));
}

/** Margins, and the profits that they are of. */
export const marginTops: ReadonlyMap<string, readonly string[]> = new Map([
  ['grossmargin', ['grossprofit']],
  ['operatingmargin', ['operatingprofit']],
  ['netmargin', ['netprofit', 'profit']],
  ['ebitdamargin', ['ebitda']],
]);

/** Whether a table has the profit of a margin that a clause names. */
export function isMarginOf({ names }: TypedTable, word: string): boolean {
  return (
    marginTops.get(word)?.some((top) => names.some(({ words }) => words.length === 1 && words[0] === top)) ?? false
  );
}
