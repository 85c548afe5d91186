/** A word or a number of a text. */
export interface Token {
  text: string;
  /** In lower case, without its ending: what two forms of one word have in common. */
  stem: string;
  start: number;
  end: number;
  /** Of a number, its value as written. */
  number: number | null;
}

const tokenPattern = /\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?|\.\d+|[\p{L}][\p{L}'’&]*/gu;

/** The words and numbers of a text. */
export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(tokenPattern), (match) => {
    const [found] = match;
    const number = /^[.\d]/.test(found)
      ? Number.parseFloat(found.replace(/,/g, ''))
      : (numberWords.get(found.toLowerCase()) ?? null);
    return {
      text: found,
      stem: number === null ? stemOf(found) : String(number),
      start: match.index,
      end: match.index + found.length,
      number,
    };
  });
}

export function isCommon(stem: string): boolean {
  return common.has(stem);
}

const numberWords = new Map(
  [
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
    'eighteen',
    'nineteen',
    'twenty',
  ].map((word, value) => [word, value] as const),
);

const irregular = new Map(
  Object.entries({
    is: 'be',
    are: 'be',
    was: 'be',
    were: 'be',
    been: 'be',
    being: 'be',
    has: 'have',
    had: 'have',
    having: 'have',
    did: 'do',
    does: 'do',
    done: 'do',
    won: 'win',
    lost: 'lose',
    loss: 'lose',
    losses: 'lose',
    men: 'man',
    women: 'woman',
    children: 'child',
    people: 'person',
    rose: 'rise',
    risen: 'rise',
    fell: 'fall',
    fallen: 'fall',
    grew: 'grow',
    grown: 'grow',
    growth: 'grow',
    made: 'make',
    held: 'hold',
    met: 'meet',
    led: 'lead',
    began: 'begin',
    begun: 'begin',
    became: 'become',
    took: 'take',
    taken: 'take',
    gave: 'give',
    given: 'give',
    paid: 'pay',
    said: 'say',
    told: 'tell',
    sold: 'sell',
    bought: 'buy',
    left: 'leave',
    went: 'go',
    gone: 'go',
    came: 'come',
    kept: 'keep',
    found: 'find',
    felt: 'feel',
    thought: 'think',
    brought: 'bring',
    sent: 'send',
    spent: 'spend',
    built: 'build',
    chose: 'choose',
    chosen: 'choose',
    shown: 'show',
    best: 'best',
    better: 'better',
    worst: 'worst',
    least: 'least',
    less: 'less',
    series: 'series',
    species: 'species',
  }),
);

/** What is left of a word without its inflection. */
export function stemOf(word: string): string {
  const lower = word
    .toLowerCase()
    .replace(/[’']s?$/u, '')
    .replace(/’/gu, "'");
  const known = irregular.get(lower);
  if (known !== undefined) return known;
  if (lower.length < 4) return lower;
  let stem = lower;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem)) stem = stem.slice(0, -1);
  const bare = /^(.*[aeiouy].*?)(?:ing|ed|ly|ally)$/.exec(stem)?.[1];
  if (bare !== undefined && bare.length > 2) stem = /([^aeiouls])\1$/.test(bare) ? bare.slice(0, -1) : bare;
  return stem.endsWith('e') && stem.length > 4 ? stem.slice(0, -1) : stem;
}

const common = new Set(
  `the a an and or but if of to in on at by for with from about as be do have can could will would should shall may might must it its this that these those i me my you your he him his she her we us our they them their
   what how why when where who which there here so than then also both each such into over during per while among between after before under not no only all any some more most less least other another same very just well
   however although though because since until within without through across against upon via including include despite due`
    .split(/\s+/)
    .map((word) => stemOf(word)),
);
