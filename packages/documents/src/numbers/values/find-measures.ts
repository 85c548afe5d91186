import { pattern, wordSet } from '@agonhq/engine/text';
/* Names of one measure become one word: "turnover" in a sentence meets "Net sales" in a table. Longer ones first. */
const names: readonly [RegExp, string][] = [
  [/\bnet operating loss(?:es)?\b|\b(?:operating )?loss carry-?forwards?\b/g, 'taxloss'],
  [/\b(?:cost|costs) of (?:goods sold|sales|revenues?|products sold|services)\b|\bcogs\b/g, 'costofsales'],
  [/\bsales (?:and|&) marketing\b|\bselling (?:and|&) marketing\b|\bmarketing (?:and|&) sales\b/g, 'salesmarketing'],
  [/\bselling,? general,? (?:and|&) administrative(?: (?:expenses?|costs?))?\b|\bsg&a\b/g, 'sganda'],
  [/\bgeneral (?:and|&) administrative\b|\bg&a\b/g, 'ganda'],
  [
    pattern('g')`
      \bresearch (?:and|&) development(?: (?:expenses?|costs?|spending|spend))?\b
      |\br&d(?: (?:expenses?|costs?|spending|spend))?`,
    'rnd',
  ],
  [/\b(?:operating|ebit) (?:profit )?margins?\b|\bmargin (?:on|from) operations\b/g, 'operatingmargin'],
  [/\bebitda margins?\b/g, 'ebitdamargin'],
  [/\bgross (?:profit )?margins?\b/g, 'grossmargin'],
  [/\b(?:net|net profit|net income|profit|surplus|net surplus) margins?\b/g, 'netmargin'],
  [
    pattern('g')`
      \b(?:income|profit|earnings|loss)(?: \(loss\))? (?:before|excluding) (?:provision for )?(?:income )?tax
      (?:es|ation)?\b|\bpre-?tax (?:income|profit|earnings)\b|\bebt\b`,
    'pretaxprofit',
  ],
  [
    pattern('g')`
      \b(?:operating|trading) (?:income|profit|surplus|deficit|earnings|result|loss)\b(?: \((?:loss|deficit)\))?
      |\b(?:income|profit|earnings|loss)(?: \(loss\))? from operations\b|\bebit\b`,
    'operatingprofit',
  ],
  [/\bgross (?:profit|income|earnings)\b(?: \((?:loss|deficit)\))?/g, 'grossprofit'],
  [
    pattern('g')`
      \bnet (?:income|profit|earnings|loss|result)\b(?: \((?:loss|deficit)\))?|\bprofit after tax(?:es|ation)?\b
      |\b(?:profit|surplus|deficit|income)(?: \(deficit\))? for the (?:year|period)\b
      |(?<!\b(?:capital|paid-in|contributed) )\b(?:net )?(?:surplus|deficit)\b(?! margin)|\bbottom line\b`,
    'netprofit',
  ],
  [/\b(?:basic|diluted)? ?(?:earnings|income|loss|profit) per (?:common |ordinary )?share\b|\beps\b/g, 'eps'],
  [/\boperating (?:expenses?|expenditures?|costs?)\b|\bopex\b|\boverheads?\b/g, 'opex'],
  [/\bcapital (?:expenditures?|spending|investments?)\b|\bcapex\b/g, 'capex'],
  [/\bfree cash flows?\b/g, 'freecashflow'],
  [
    pattern('g')`
      \b(?:operating cash flows?|cash flows? from operat(?:ions|ing activities)
      |cash (?:provided by|generated (?:by|from)|from) operat(?:ions|ing activities))\b`,
    'operatingcashflow',
  ],
  [/\bcash (?:and|&) (?:cash )?equivalents\b|\bcash position\b|\bcash balance\b/g, 'cashposition'],
  [/\b(?:annual recurring revenue|arr)\b/g, 'arr'],
  [/\b(?:deferred|unearned) revenues?\b/g, 'deferredrevenue'],
  [/\border (?:intake|volume)\b|\bnew orders\b|\bbookings\b|\borders received\b/g, 'orderintake'],
  [/\border ?(?:book|backlog)\b|\bbacklog\b/g, 'backlog'],
  [/\btotal (?:operating )?income\b(?! tax| \(loss\)| from| before)/g, 'revenue'],
  [/\b(?:net |total )?(?:operating )?(?:revenues?|sales|turnover)\b|\btop[ -]line\b/g, 'revenue'],
  [/\b(?:headcount|employees|workforce|full-time equivalents?|ftes?)\b/g, 'headcount'],
  [
    /\bincome tax(?:es)?(?: (?:expense|provision))?\b|\btax (?:expense|charge)\b|\bprovision for (?:income )?taxes\b/g,
    'incometax',
  ],
  [/\bcustomer base\b|\bclients\b|\bcustomers?\b/g, 'customer'],
  [/\bdepreciation (?:and|&) amorti[sz]ation\b|\bd&a\b/g, 'danda'],
];
export const metricWords: ReadonlySet<string> = new Set([
  ...names.map(([, name]) => name),
  'ebitda',
  'margin',
  'profit',
  'income',
  'earnings',
  'loss',
  'costs',
  'cost',
  'expense',
  'cash',
  'debt',
  'assets',
  'asset',
  'liabilitie',
  'liability',
  'equity',
  'inventory',
  'inventorie',
  'dividend',
  'volume',
  'unit',
  'customer',
  'subscriber',
  'user',
  'spending',
  'spend',
  'budget',
  'price',
  'churn',
  'production',
  'output',
  'funding',
  'donation',
  'grant',
  'enrolment',
  'enrollment',
  'patient',
  'shipment',
  'emission',
  'consumption',
  'turnover',
  'yield',
  'rate',
  'share',
  'store',
  'order',
  'contract',
  'receivable',
  'payable',
  'investment',
  'interest',
  'fee',
  'rent',
  'wage',
  'salarie',
  'occupancy',
  'utilisation',
  'utilization',
]);
/** Measures that a report has one of: what is said of them without more is said of the whole. */
export const headlineMetrics: ReadonlySet<string> = new Set([...names.map(([, name]) => name), 'ebitda']);

const empty = wordSet(`
  a an the of in on at for to from by with and or as is was were be been are its our their this that these those it we
  has had have which than into over per vs versus compared against during while also total totals sum overall group
  company consolidated reported net all amount amounts value figure figures number year years quarter month months
  ended ending fiscal full annual quarterly period prior previous last current usd eur gbp chf million millions
  thousand thousands billion bn mn m k in except share data unaudited audited note notes table following only
  respectively approximately about around nearly roughly just some more less`);

/** The words that say what a text measures, in one spelling each, in order and without numbers and filler. */
export function listMeasureWords(text: string): string[] {
  return findMeasureWords(text).map(({ word }) => word);
}

export interface PlacedWord {
  word: string;
  start: number;
  end: number;
}

/** The same, with where each stands. */
export function findMeasureWords(text: string): PlacedWord[] {
  let lower = text.toLowerCase();
  const found: PlacedWord[] = [];
  for (const [expression, name] of names) {
    lower = lower.replace(expression, (match, ...rest) => {
      const at = rest.find((value): value is number => typeof value === 'number')!;
      const lead = match.length - match.trimStart().length;
      found.push({ word: name, start: at + lead, end: at + match.length });
      return ' '.repeat(match.length);
    });
  }
  for (const match of lower.matchAll(/\p{L}[\p{L}\d&'’.-]*/gu)) {
    const word = match[0].replace(/['’.]s?$|(?<![.'’-])[.'’-]+$/u, '');
    const stem = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
    if (word === '' || empty.has(word) || /^(?:q[1-4]|h[12]|fy\d*|usd?)$/.test(word)) continue;
    found.push({ word: stem, start: match.index, end: match.index + word.length });
  }
  return found.toSorted((left, right) => left.start - right.start);
}
