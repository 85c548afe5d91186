import { headlineMetrics, metricWords, wordsWithPlaces, type PlacedWord } from './measure-words.ts';
import { periodBefore, scanPeriods, yearAfter, yearBefore, type ScannedPeriod } from './periods.ts';
import { scanNumbers, type DecimalMark, type ScannedNumber } from './scan-numbers.ts';

/** What a sentence says with a number, or of a direction, about a measure. */
export interface Statement {
  /** `level`: it was so much; `change`: it changed by so much; `share`: it is such a part of the whole; `direction`: it went up or down. */
  role: 'level' | 'change' | 'share' | 'direction';
  /** Within the sentence: of the number, or of the words of direction. */
  start: number;
  end: number;
  text: string;
  /** In base units; 0 for a direction. */
  value: number;
  precision: number;
  unit: string | null;
  /** 1 up, −1 down, 0 unchanged, null when nothing is said. */
  direction: 1 | 0 | -1 | null;
  metric: string;
  /** What narrows the measure down, right beside it: "cloud" of "cloud revenue", "Europe" of "revenue in Europe". */
  modifiers: readonly string[];
  /** All words of its clause, and of the phrase that opens the sentence. */
  words: ReadonlySet<string>;
  /** Those of the phrase that opens the sentence: "In Europe, …". */
  leading: readonly string[];
  /** What the section is about, where its heading names a line of a table: a segment, a country. */
  context: readonly string[];
  /** It is what the sentence is about, and not said in passing. */
  main: boolean;
  period: string | null;
  /** What a change is measured against; null when not said. */
  base: string | null;
  /** "about", "more than": the number is not meant to the digit. */
  loose: boolean;
  /** No word or letter beside the number says thousands or millions. */
  bare: boolean;
  /** The sentence names another measure or a condition beside it: too much for a contradiction. */
  unsure: boolean;
}

const up = /\b(?:(?:went|moved|was|were|is) up|grew|grow|grows|growing|rose|rise|rises|rising|increas(?:e|ed|es|ing)|climb(?:ed|s|ing)?|gained|jump(?:ed|s)?|surged?|soared|expand(?:ed|s|ing)?|improv(?:e|ed|es|ing|ement)|advanced|up|higher|growth|strengthened|accelerated|doubled|uplift|upturn|record|widened)\b/gi;
const down = /\b(?:(?:went|moved|was|were|is) down|fell|fall|falls|falling|declin(?:e|ed|es|ing)|decreas(?:e|ed|es|ing)|drop(?:ped|s)?|down|lower|shrank|shrunk|contract(?:ed|ion)|slipp?(?:ed|s)?|eased|reduc(?:ed|tion)|plunged|weakened|deteriorat(?:ed|ion)|lost|narrowed|compress(?:ed|ion)|eroded|slid|dipped|softened|sank|halved|retreated)\b/gi;
const flatWords = /\b(?:(?:remained|was|were|stayed|held|broadly|largely|essentially) (?:broadly |largely |essentially )?(?:flat|stable|unchanged|steady|level|constant))\b/gi;
const ahead = /\b(?:expect(?:s|ed|ation)?|will|would|could|may|might|should|forecasts?|targets?|targeted|plans? to|planned|guidance|outlook|anticipat(?:e|es|ed)|project(?:s|ed)|estimat(?:e|es|ed)|if|assum(?:e|es|ing)|hypothetical|pro forma|constant[ -]currency|organic(?:ally)?|excluding|adjusted|non-gaap|underlying|like-for-like|comparable|budget(?:ed)?|potential|up to|intend)\b/i;
const denied = /\b(?:not|no|neither|nor|never|without|rather than|instead of)\b/i;
const splitter = /;\s|:\s(?=\p{Lu})|,?\s(?:while|whereas|but|although|though|despite|driven (?:mainly |primarily |largely )?by|(?:mainly |primarily |largely |partly |partially )?(?:due to|offset by|attributable to|because of|because)|as a result of|thanks to|owing to|reflecting|on the back of|supported by|helped by|resulting from|which)\s|,?\s(?:and|with)\s(?=[^,;]{0,80}?\b(?:was|were|grew|rose|fell|increased|decreased|declined|reached|improved|reaching|rising|falling|stood|totall?ed|amounted|accounted|contributed|represented|came|climbed|dropped|expanded|contracted|narrowed|widened)\b)/giu;
const stop = /^(?:was|were|is|are|be|been|has|had|have|grew|rose|fell|increased|decreased|declined|in|on|at|for|to|from|by|with|and|or|of|as|that|this|these|those|the|a|an|our|its|their|his|her|we|it|which|while|both|total|overall|group|company|consolidated|reported|annual|quarterly|full-year|fiscal|strong|solid|robust|higher|lower|record|weak|weaker|stronger|rising|falling|growing|declining|improved|increase|decrease|growth|decline|rise|fall|drop|change|also|however|meanwhile|similarly|accordingly|again|therefore|overall|combined|resulting|corresponding|year-on-year|year-over-year|net|same|respective|further|another|additional|about|approximately|level|levels|end|year|quarter|period|full|half|first|second|third|fourth|prior|previous|last|during|compared|when|where|all|each|every|per|than|more|less|most|only|even|still|already|first-quarter|second-quarter|third-quarter|fourth-quarter|generated|recorded|posted|reported|achieved|delivered|realised|realized|earned|saw|with|company-wide|group-wide|entire|aggregate|whole|business|management|board|result|results|performance|month|months|weeks|ended|ending|operations|continuing|because|so|but|although|though|until|since|through|over|into|after|before|between|under|above|below|around|nearly|roughly|just|almost|some|stood|came|went|hit|up|down|shrank|will|would|can|may|should|could|did|does|do|not|no|number|percent)$|^\p{Ll}+(?:ed|ly)$/u;

/** What a sentence states about measures. */
export function statementsIn(sentence: string, mark: DecimalMark = '.'): Statement[] {
  const named = scanPeriods(sentence);
  const bases = named.filter((period) => isBase(sentence, period));
  const periods = named.filter((period) => !bases.includes(period));
  const words = wordsWithPlaces(sentence);
  const numbers = scanNumbers(sentence, mark).filter((number) => meant(sentence, number, named));
  const opening = /^(?:in|for|at|across|within)\b[^,]{0,80},/i.exec(sentence)?.[0].length ?? 0;
  const openingWords = words.filter(({ end }) => end <= opening).map(({ word }) => word);
  const paired = pairedPeriods(sentence, numbers, named);
  if (paired === null && (/\brespectively\b/i.test(sentence) || isList(sentence, numbers))) return [];
  const leading = periods.find(({ start }) => start < 40
    && /^\W*(?:in|for|during|by|at|as of|over|through|on)?\s*(?:the\s+)?(?:end of\s+|year to\s+)?$/i.test(sentence.slice(0, start)));

  const statements: Statement[] = [];
  let carried: PlacedWord | undefined;
  for (const [from, to] of clauses(sentence)) {
    const clause = sentence.slice(from, to);
    const unsure = ahead.test(clause) || denied.test(clause);
    const clauseWords = words.filter(({ start }) => start >= from && start < to);
    const all = new Set([...openingWords, ...clauseWords.map(({ word }) => word)]);
    const metrics = clauseWords.filter((one) => metricWords.has(one.word) && !isName(sentence, one));
    const clauseNumbers = numbers.filter(({ start }) => start >= from && start < to);
    const clausePeriods = periods.filter(({ start }) => start >= from && start < to);
    const base = (now: string | null, after: string): string | null => bases.findLast((period) => period.period !== now)?.period
      ?? compared(after, now);
    const roles: Role[] = [];
    for (const number of clauseNumbers) {
      const before = sentence.slice(from, number.start);
      const after = sentence.slice(number.end, to);
      const metric = metricOf(metrics, number, before, after, sentence) ?? carried;
      if (metric === undefined) continue;
      // "by $38 million, or 3 %": the same change twice.
      const again = /,?\s(?:or|\()\s*$/.test(before) && roles.at(-1)?.role === 'change' ? roles.at(-1)! : null;
      const role = again ?? roleOf(before, after, number);
      if (role === null) continue;
      roles.push(role);
      const own = paired?.get(number) ?? periodFor(sentence, number, role.previous ? named : clausePeriods, clauseNumbers);
      const now = own
        ?? leading?.period
        ?? clausePeriods.find(({ end }) => end <= number.start)?.period
        ?? (periods.length === 1 ? periods[0]!.period : null)
        ?? periodAfter(bases);
      const earlier = role.previous
        ? (own ?? (now === null ? 'previous' : /\b(?:previous|prior|preceding) quarter\b/i.test(clause) ? periodBefore(now) : yearBefore(now)))
        : now;
      const factor = number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
      statements.push({
        role: role.role, start: number.start, end: number.end, text: number.text, value: number.value * factor, precision: number.precision * factor, unit: number.unit,
        direction: role.direction, metric: metric.word, modifiers: modifiersOf(sentence, metric, words, periods, to), words: all, leading: openingWords, context: [], main: from === 0
          && metric === metrics[0], bare: number.scale === null, period: earlier, base: base(now, sentence.slice(number.end, to)),
        loose: /\b(?:about|approximately|around|nearly|almost|roughly|some|over|more than|at least|just under|just over|close to|in excess of|less than|under|up to|~)\s*$/i.test(before), unsure: unsure
          || inPassing(sentence, metric)
          || /^\s*(?:in connection with|related to|relating to|attributable to|associated with)\b/i.test(after)
          || /\b(?:consist|includ|compris)\w*\b[^,;]*$/i.test(before),
      });
    }
    for (const move of moves(clause)) {
      const start = from + move.start;
      const end = from + move.end;
      const adjective = /^(?:higher|lower|rising|falling|growing|declining|increasing|decreasing|contracting|expanding|improving|reduction|increases?|decreases?|rises?|falls?|declines?|gains?|drops?|growth|improvement|contraction|deterioration|compression|uplift|upturn)$/i.test(move.text);
      if (adjective
        || /\b(?:are|is|be|being|been)\s+$/i.test(sentence.slice(0, start))
        || /^\s+by\s+(?![\d$€£¥]|[A-Z]{3}\s?\d|(?:about|approximately|nearly|around|over|almost|roughly|some|more)\b)/.test(sentence.slice(end))) continue;
      const subject = metrics.findLast((metric) => metric.end <= start
        && sentence.slice(metric.end, start).split(/\s+/).length <= 7
        && !/[,:]|\b(?:and|or|that|which|to|by|than|with|due|because)\b/.test(sentence.slice(metric.end, start))
        && !metricWords.has(words.find((word) => word.start >= end)?.start === end + 1 ? words.find((word) => word.start >= end)!.word : ''));
      if (subject === undefined) continue;
      const now = leading?.period
        ?? clausePeriods.findLast((period) => period.start > end)?.period
        ?? clausePeriods[0]?.period
        ?? (periods.length === 1 ? periods[0]!.period : null)
        ?? periodAfter(bases);
      statements.push({
        role: 'direction', start, end, text: move.text, value: 0, precision: 0, unit: null, direction: move.direction, metric: subject.word,
        modifiers: modifiersOf(
          sentence, subject, words, periods, start > subject.end ? start : to,
        ), words: all, leading: openingWords, context: [], main: from === 0
          && subject === metrics[0], bare: true, period: now, base: base(now, sentence.slice(end, to)), loose: false,
        unsure: unsure || inPassing(sentence, subject) || ambiguous(move.text, subject.word),
      });
    }
    carried = /\b(?:which|reaching|rising|falling)\b/i.test(sentence.slice(to, to + 14)) ? (metrics[0] ?? carried) : undefined;
  }
  return statements;
}

/** "Contract" of "Contract Logistics" measures nothing. */
function isName(sentence: string, { word, start, end }: PlacedWord): boolean {
  return !headlineMetrics.has(word)
    && /\p{Lu}/u.test(sentence[start]!)
    && (/\p{Lu}[\p{L}&]* $/u.test(sentence.slice(0, start)) || /^ (?:& |and )?\p{Lu}/u.test(sentence.slice(end)));
}

/** "Tax benefits related to revenue": the number is not of the revenue. */
function inPassing(sentence: string, { start, end }: PlacedWord): boolean {
  if (/[)\]”"]\s*$/.test(sentence.slice(0, start))) return true;
  // "Income tax refunds": the measure only narrows down another noun.
  const next = /^\s+([\p{L}-]+)/u.exec(sentence.slice(end))?.[1];
  if (next !== undefined
    && !stops(next)
    && !/^\p{Lu}|(?:ing|s)$/u.test(next.replace(
      /^.*(?:refunds|payments|assets|deposits|carryforwards|benefits|rates|positions|proceeds|credits)$/, 'noun',
    ))) return true;
  return /\b(?:related to|associated with|attributable to|net of|included in|fair value of|(?:increase|decrease|reduction|addition) (?:to|in)|portion of|part of|impact of|effect of|benefits? (?:of|from)|changes? in|allocated to|recorded (?:in|within)|classified (?:in|within|as)|as a percentage of|% of|percent of)\s+(?:[\p{L}'’-]+\s+){0,4}$/iu.test(sentence.slice(Math.max(0, start - 70), start));
}

function clauses(sentence: string): [number, number][] {
  const cuts = [...sentence.matchAll(splitter)].map((match) => match.index);
  const bounds = [0, ...cuts, sentence.length];
  return bounds.slice(1).map((end, index): [number, number] => [bounds[index]!, end]).filter(([from, to]) => to > from);
}

/** A number that states something: no year, no date, no "Note 5". */
function meant(sentence: string, number: ScannedNumber, periods: readonly ScannedPeriod[]): boolean {
  if (periods.some((period) => number.start < period.end && number.end > period.start)) return false;
  if (number.year) return false;
  if (/(?:\b(?:note|item|section|page|table|figure|chapter|part|exhibit|article|rule|no\.?|number|appendix|asc|asu|ifrs|ias|level|tier|phase|form|step|topic)\s*|[#§])$/i.test(sentence.slice(
    Math.max(0, number.start - 12), number.start,
  ))) return false;
  return number.unit === '%'
    || number.unit === 'pp'
    || !/^(?:\s?(?:-|to-)?(?:year|month|day|week|hour|minute)s?\b|st\b|nd\b|rd\b|th\b|-k\b|-q\b|x\b|\s?times\b)/i.test(sentence.slice(number.end));
}

/** "$12.0 billion, $17.3 billion and $18.4 billion": which is which, only a like list of periods says. */
function isList(sentence: string, numbers: readonly ScannedNumber[]): boolean {
  return numbers.some((number, index) => index > 0
    && number.unit === numbers[index - 1]!.unit
    && /^\s*(?:,|,?\s*and|or)\s*$/.test(sentence.slice(numbers[index - 1]!.end, number.start)));
}

function pairedPeriods(sentence: string, numbers: readonly ScannedNumber[], periods: readonly ScannedPeriod[]): Map<ScannedNumber, string> | null {
  if (numbers.length < 2 || numbers.length !== periods.length || new Set(numbers.map(({ unit }) => unit)).size > 1) return null;
  const listed = numbers.at(-1)!.end <= periods[0]!.start || periods.at(-1)!.end <= numbers[0]!.start;
  if (!listed && !/\brespectively\b/i.test(sentence)) return null;
  return new Map(numbers.map((number, index) => [number, periods[index]!.period]));
}

function metricOf(metrics: readonly PlacedWord[], number: ScannedNumber, before: string, after: string, sentence: string): PlacedWord | undefined {
  // "$4.6 million in revenue", "a 15 % increase in revenue": the measure follows its number.
  const follows = metrics.find((metric) => metric.start >= number.end
    && /^,?\s+(?:(?:increase|decrease|growth|rise|decline|drop|fall|improvement|reduction|gain|higher|lower)\s+)?(?:in|of)?\s*(?:(?:total|net|the|our|annual|group|quarterly)\s+)*(?:[\p{L}&-]+\s+){0,2}$/iu.test(sentence.slice(number.end, metric.start)));
  const precedes = metrics.findLast((metric) => metric.end <= number.start);
  const attributive = /^\s+(?:increase|decrease|growth|rise|decline|drop|fall|improvement|reduction|gain)\s+in\b|^\s+(?:in|of)\s/i.test(after)
    && !/\b(?:of|at|was|were|to|from|by|reached|totall?ed|than)\s*$/i.test(before);
  return attributive ? (follows ?? precedes) : (precedes ?? follows);
}

interface Role {
  role: Statement['role'];
  direction: Statement['direction'];
  /** The value it is compared with. */
  previous?: true;
}

function roleOf(before: string, after: string, number: ScannedNumber): Role | null {
  const near = before.slice(-60);
  if (/\b(?:compared (?:to|with)|versus|against)\s[^,;\d%]{0,70}\b(?:of|was|were)\s*$/i.test(before.slice(-110))) return { role: 'level', direction: null, previous: true };
  if (/(?:\bfrom|\bcompared (?:to|with)|\bversus|\bvs\.?|\bagainst|\bthan|\bafter|\bup on|\bup from|\bdown from|\(\d{4}:)\s+(?:an? |the |just |only |about |approximately |nearly |around )?$/i.test(near)) return { role: 'level', direction: null, previous: true };
  const verb = [...near.matchAll(up)].map((match) => ({
    at: match.index + match[0].length, direction: 1 as const,
  })).concat([...near.matchAll(down)].map((match) => ({
    at: match.index + match[0].length, direction: -1 as never,
  }))).toSorted((left, right) => right.at - left.at)[0] as { at: number; direction: 1 | -1 } | undefined;
  const between = verb === undefined ? null : near.slice(verb.at);
  if (verb !== undefined
    && /^\s*(?:,|\()?\s*(?:(?:by|of|an?|some|about|approximately|nearly|around|over|more than|almost|roughly|just|only|a further|another|sharply|strongly|modestly|slightly|significantly|year[ -]on[ -]year|year[ -]over[ -]year)\s*)*(?:by\s+|of\s+)?\(?$/i.test(between!)) return { role: 'change', direction: verb.direction };
  if (/\bchange of\s*$/i.test(near)) return { role: 'change', direction: null };
  const noun = /^\s*(?:year[ -]on[ -]year|year[ -]over[ -]year|annual|yoy|sequential)?\s*(increase|growth|rise|gain|improvement|higher|decrease|decline|drop|fall|reduction|lower|contraction)\b/i.exec(after);
  if (noun !== null) return { role: 'change', direction: /^(?:increase|growth|rise|gain|improvement|higher)$/i.test(noun[1]!) ? 1 : -1 };
  if (number.unit === 'pp') return verb === undefined ? null : { role: 'change', direction: verb.direction };
  if (number.unit === '%'
    && (/\b(?:accounted for|accounting for|represent(?:ed|ing|s)|contribut(?:ed|ing|es)|made up|makes up|making up|compris(?:ed|ing|es)|generated|share of)\b[^%]*$/i.test(near)
      || /^\s+of\s+(?:(?:the|our|its|total|net|group|consolidated|overall|company)\s+)*(?:revenues?|sales|turnover|total|group|costs?|expenses?|spending|budget|headcount|assets)\b/i.test(after))) return { role: 'share', direction: null };
  if (/(?:\b(?:of|at|was|were|is|are|to|reached|reaching|totall?ed|totall?ing|amounted to|stood at|came (?:in )?(?:at|to)|hit|recorded|posted|reported|generated|delivered|achieved|earned|employed|held|spent|exceeded|equal(?:led|s)|approximately|about|nearly|over|around|almost|roughly|than|a|an|and|set|just|some|booked|invested|closed (?:the year |the quarter )?(?:at|with)|ended (?:the year |the quarter )?(?:at|with)|finished (?:the year |the quarter )?(?:at|with)|by|with|,|only)|[:(=–—-])\s*\(?$/i.test(near)
    || /^\s*$/.test(near)
    || /^\s+(?:in|of)\s/i.test(after)) return /\bby\s*$/i.test(near) ? null : { role: 'level', direction: null };
  return null;
}

/** The period right behind or before a number: "$4.0 million in 2023", "(2023: $4.0 million)". */
function periodFor(sentence: string, number: ScannedNumber, periods: readonly ScannedPeriod[], numbers: readonly ScannedNumber[]): string | null {
  const next = numbers.find((other) => other.start > number.end);
  const behind = periods.find((period) => period.start >= number.end && (next === undefined || period.start < next.start));
  if (behind !== undefined
    && /^\s*(?:of [\p{L} ]{3,40}?)?\s*(?:,\s*)?\(?(?:(?:in|for|during|at|as of|as at|by|on|recorded in|reported in|achieved in|a year earlier in)\s+)?(?:the\s+)?(?:same (?:quarter|period) of\s+|(?:end|close) of\s+|(?:fiscal )?year\s+)?$/iu.test(sentence.slice(number.end, behind.start))) return behind.period;
  const front = periods.findLast((period) => period.end <= number.start);
  return front !== undefined && /^\s*[:=–-]\s*$/.test(sentence.slice(front.end, number.start)) ? front.period : null;
}

/** A period that something is held against: "than in 2023", "up 5 % on 2023", "from $4.0 million in 2023". */
function isBase(sentence: string, { start }: ScannedPeriod): boolean {
  const before = sentence.slice(Math.max(0, start - 140), start);
  const since = /\b(?:compared (?:with|to)|versus|vs\.?)\s[^;]*$/i.exec(before)?.[0];
  if (since !== undefined && scanPeriods(since).length === 0) return true;
  if (/\b(?:than(?: in| for| at)?|(?:%|percent|points?|up|down|increase|decrease|growth|rise|decline)\s+(?:on|over|from)|compared (?:with|to)|versus|vs\.?|against|relative to|from)\s+(?:those of |that of )?(?:the\s+)?(?:same (?:quarter|period) (?:of|in)\s+)?(?:year\s+)?$|%\s+(?:on|over|from)\s+(?:the\s+)?$/i.test(before)) return true;
  return /\b(?:from|after|versus|compared (?:with|to)|against|than)\s+(?:an? |the |just |only |about |nearly )?[\p{L}$€£¥]{0,4}\s?\(?[\d.,]+\)?\s?(?:%|percent|[a-z]+)?(?:\s+of\s+[a-z ]{3,30})?\s+(?:in|for|at|as of|during)\s+(?:the\s+)?(?:year\s+)?$/iu.test(before);
}

/** What is held against a year is of the year after it. */
function periodAfter(bases: readonly ScannedPeriod[]): string | null {
  return bases.length === 1 && /^(?:FY\d{4}|[QH]\d \d{4})$/.test(bases[0]!.period) ? yearAfter(bases[0]!.period) : null;
}

/** What a change is measured against, if the words behind it say so. */
function compared(after: string, now: string | null): string | null {
  if (/\b(?:previous|prior|preceding|last) quarter\b|\bsequential|quarter[ -]on[ -]quarter|quarter[ -]over[ -]quarter|\bqoq\b/i.test(after)) return now === null
    ? 'previous'
    : periodBefore(now);
  return now === null ? null : yearBefore(now);
}

/** The words that narrow a measure down, before it and in the phrase behind it. */
function modifiersOf(sentence: string, metric: PlacedWord, words: readonly PlacedWord[], periods: readonly ScannedPeriod[], end: number): string[] {
  const inside = new Set<string>();
  const front = /((?:[\p{L}\d&'’.-]+\s+){0,5})$/u.exec(sentence.slice(0, metric.start))?.[1] ?? '';
  const fore = front.trim().split(/\s+/).filter((word) => word !== '');
  let reach = metric.start;
  for (const word of fore.toReversed()) {
    if (/^(?:and|&|or|group|company|business)(?:['’]s)?$/i.test(word)) {
      reach -= word.length + 1;
      continue;
    }
    if (stops(word.replace(/['’]s$/, ''))) break;
    reach -= word.length + 1;
  }
  const phrase = /^\s*(?:\([^)]*\)\s*)?(?:in|from|of|for|at|across|within|on|related to|associated with|attributable to|used (?:in|for|by)|provided by)\s+(?:the\s+|our\s+)?((?:[\p{L}&'’-]+\s*){1,5})/iu.exec(sentence.slice(metric.end, end));
  let tail = metric.end;
  if (phrase !== null) {
    tail = metric.end + phrase[0].length - phrase[1]!.length;
    for (const word of phrase[1]!.trim().split(/\s+/)) {
      if (stops(word)) break;
      tail += word.length + 1;
    }
  }
  for (const { word, start, end: wordEnd } of words) {
    if (periods.some((period) => start < period.end && wordEnd > period.start)) continue;
    if (start >= reach - 1 && start < tail && !(start >= metric.start && wordEnd <= metric.end)) inside.add(word);
  }
  return [...inside];
}

/** A capital inside a sentence is a name's: "United" of "United Kingdom" is no verb. */
function stops(word: string): boolean {
  return stop.test(word) || (stop.test(word.toLowerCase()) && !/^\p{Lu}\p{Ll}+(?:ed|ly)$/u.test(word));
}

function moves(clause: string): { start: number; end: number; text: string; direction: 1 | 0 | -1 }[] {
  const found = [
    ...[...clause.matchAll(up)].map((match) => ({ match, direction: 1 as const })),
    ...[...clause.matchAll(down)].map((match) => ({ match, direction: -1 as const })),
    ...[...clause.matchAll(flatWords)].map((match) => ({ match, direction: 0 as const })),
  ];
  return found.map(({ match, direction }) => ({
    start: match.index, end: match.index + match[0].length, text: match[0], direction,
  })).toSorted((left, right) => left.start - right.start);
}

/** "Improved" says up of a profit and down of a cost; "record" and "growth" alone say nothing sure. */
function ambiguous(word: string, metric: string): boolean {
  if (/^(?:record|lost|contract|advanced|up|down|doubled|halved|gained?|gains)$/i.test(word)) return true;
  if (/narrowed|widened/i.test(word)) return !/margin/.test(metric);
  return /improv|strength|deterior|weak|soften/i.test(word) && !/margin|profit|revenue|cash|ebitda|income|earnings|orderintake|backlog/.test(metric);
}
