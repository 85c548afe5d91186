import type { ScannedNumber } from '../values/scan-numbers.ts';
import { pattern, patternPart } from '@agonhq/engine/text';

export interface StatementRole {
  role: 'level' | 'change' | 'share' | 'direction';
  /** Of a change or a direction: up, down, or none. */
  direction: 1 | 0 | -1 | null;
  /** The value it is compared with. */
  previous?: true;
}

const up = pattern('gi')`
  \b(?:picked up|gained ground|recovered|continued to (?:grow|rise|increase|climb|improve|expand)
  |above (?:the )?(?:prior|previous|last)[ -]year|(?:went|moved|was|were|is|edged|crept|inched|ticked|nudged
  |came in) (?:(?:slightly|somewhat|modestly|markedly|significantly|sharply|much) )?(?:up|higher)|grew|grow|grows
  |growing|rose|rise|rises|rising|increas(?:e|ed|es|ing)|climb(?:ed|s|ing)?|gained|jump(?:ed|s)?|surged?|soared
  |expand(?:ed|s|ing)?|improv(?:e|ed|es|ing|ement)|advanced
  |(?<!\b(?:made|make|makes|making|set|sets|opened|built) )up|higher|growth|strengthened|accelerated|doubled|tripled
  |trebled|quadrupled|uplift|upturn|record|widened)\b`;

const down = pattern('gi')`
  \b(?:lost ground|tailed off|fell back|continued to (?:fall|decline|decrease|drop|shrink|weaken|contract)
  |below (?:the )?(?:prior|previous|last)[ -]year|(?:went|moved|was|were|is|edged|crept|inched|ticked
  |came in) (?:(?:slightly|somewhat|modestly|markedly|significantly|sharply|much) )?(?:down|lower)|fell|fall|falls
  |falling|declin(?:e|ed|es|ing)|decreas(?:e|ed|es|ing)|drop(?:ped|s)?|down|lower|shrank|shrunk|contract(?:ed|ion)
  |slipp?(?:ed|s)?|eased|reduc(?:ed|tion)|plunged|weakened|deteriorat(?:ed|ion)|lost|narrowed|compress(?:ed|ion)
  |eroded|slid|dipped|softened|sank|halved|retreated)\b`;

const flatWords = pattern('gi')`
  \b(?:(?:remained|was|were|stayed|held|broadly|largely|essentially) (?:broadly |largely |essentially )?
  (?:flat|stable|unchanged|steady|level|constant))\b`;

const changeNoun = pattern('i')`
  ^\s*(?:(?:year[ -]on[ -]year|year[ -]over[ -]year|annual|yoy|sequential)\s*)?(increase|growth|rise|gain|improvement
  |higher|more than|above|decrease|decline|drop|fall|reduction|lower|less than|below|contraction
  |(?:over|under)(?= (?:the |its |their )?budget))\b`;

const isSpent = pattern('i')`
  ^\s+(?:in|of)\s|^\s+(?:was|were)\s+(?:attributable to|due to|recorded|spent|generated|earned|received|paid|raised
  |booked|invested)\b`;

const comesTo = pattern('iu')`
  (?:\b(?:of|at|was|were|is|are|to|reached|reaching|totall?ed|totall?ing|amounted to|stood at|came (?:in )?(?:at|to)
  |hit|recorded|posted|reported|generated|delivered|achieved|earned|employed|had|has|have|sold|held|spent|\p{Ll}+ed
  |exceeded|equal(?:led|s)|approximately|about|nearly|over|around|almost|roughly|than|a|an|and|set|just|some|booked
  |invested|closed (?:the year |the quarter )?(?:at|with)|ended (?:the year |the quarter )?(?:at|with)
  |finished (?:the year |the quarter )?(?:at|with)|by|with|,|only)|[:(=–—-])\s*\(?$`;

const changesBy = pattern('i')`
  ^\s*(?:[,(]\s*)?(?:(?:by|of|an?|some|about|approximately|nearly|around|over|more than|almost|roughly|just|only
  |a further|another|combined|aggregate|additional|net|sharply|strongly|modestly|slightly|significantly|year[ -]on[ -]year|year[ -]over[ -]year)\s*)*
  \(?$`;

/** "Increased in 2023 by", "an increase in costs of": what stands between does not make it a value. */
const changesLater = pattern('iu')`
  \b(?:(?<up>increased|rose|grew|climbed|improved|raised|lifted|expanded)|decreased|declined|fell|dropped|reduced
  |lowered|cut)\b[^,;%$]{1,60}?\bby\s+
  (?:about |approximately |nearly |around |over |some )?\(?$
  |\b(?:(?<upNoun>increases?|growth|rise)|decreases?|decline|reduction|drop)\s+in\b[^;%$]{2,80}?\bof\s+
  (?:about |approximately |nearly |around |over |some )?\(?$`;

const comparesTo = pattern('iu')`
  (?:\bfrom|\bcompared (?:to|with)|\bversus|\bvs\.?|\bagainst|\bthan|\bafter|\bup on|\bup from|\bdown from
  |\b(?:prior|previous|last)[ -]year(?:['’]s)?(?: \p{L}+){0,2} of)\s+
  (?:an? |the |just |only |about |approximately |nearly |around )?$`;

export function findRole(before: string, after: string, number: ScannedNumber): StatementRole | null {
  const near = before.slice(-60);
  if (/\b(?:compared (?:to|with)|versus|against)\s[^,;\d%]{0,70}\b(?:of|was|were)\s*$/i.test(before.slice(-110)))
    return { role: 'level', direction: null, previous: true };
  if (comparesTo.test(near)) return { role: 'level', direction: null, previous: true };
  // "Net debt (2023: $5 million)" has no other value that it would be held against. Bounded: of 140 letters.
  if (/\d[^()]*\([^()]{1,24}:\s+$/.test(before.slice(-140))) return { role: 'level', direction: null, previous: true };
  // "8.9 % of its revenue": of the part, and not of the whole.
  if (number.unit === '%' && /^\s+of\s+(?:its|their)\s/i.test(after)) return null;
  if (number.unit === '%' && isShare(near, after)) return { role: 'share', direction: null };
  const verb = [...near.matchAll(up)]
    .map((match) => ({
      at: match.index + match[0].length,
      direction: 1 as const,
    }))
    .concat(
      [...near.matchAll(down)].map((match) => ({
        at: match.index + match[0].length,
        direction: -1 as never,
      })),
    )
    .toSorted((left, right) => right.at - left.at)[0] as { at: number; direction: 1 | -1 } | undefined;
  const between = verb === undefined ? null : near.slice(verb.at);
  if (verb !== undefined && changesBy.test(between!)) return { role: 'change', direction: verb.direction };
  const late = changesLater.exec(before);
  if (late !== null)
    return { role: 'change', direction: (late.groups!['up'] ?? late.groups!['upNoun']) === undefined ? -1 : 1 };
  const noun =
    number.unit === '%'
      ? /\b(?:(gain|advance|uplift|jump|climb|upturn)|slide|dip|slump|setback) of\s*$/i.exec(near)
      : null;
  if (noun !== null) return { role: 'change', direction: noun[1] === undefined ? -1 : 1 };
  if (/\bchange of\s*$/i.test(near)) return { role: 'change', direction: null };
  if (/\b(?:exceeded|overshot)\b[^;]*\bby\s*$/i.test(before.slice(-110))) return { role: 'change', direction: 1 };
  if (/\b(?:fell short of|undershot|underspent)\b[^;]*\bby\s*$/i.test(before.slice(-110)))
    return { role: 'change', direction: -1 };
  if (number.unit === '%' && /^[+−-]/.test(number.text) && /[(,]\s*$/.test(near))
    return { role: 'change', direction: number.text.startsWith('+') ? 1 : -1 };
  const follows = changeNoun.exec(after);
  if (follows !== null)
    return {
      role: 'change',
      direction: /^(?:increase|growth|rise|gain|improvement|higher|more than|above|over)$/i.test(follows[1]!) ? 1 : -1,
    };
  if (number.unit === 'pp') return verb === undefined ? null : { role: 'change', direction: verb.direction };
  if (comesTo.test(near) || /^\s*$/.test(near) || isSpent.test(after))
    return /\bby\s*(?:an?\s+(?:\p{L}+\s+)?)?$/iu.test(near) ? null : { role: 'level', direction: null };
  return null;
}

const adverbs = patternPart`
  (?:(?:an?|the|about|approximately|nearly|around|some|roughly|almost|just|only|over|more than|as much as|again
  |still)\s+)*`;

const makesUp = pattern('i')`
  \b(?:accounted for|accounts for|accounting for|represent(?:ed|ing|s)|made up|makes up|making up
  |compris(?:ed|ing|es)|constitut(?:ed|ing|es)|(?:was|is|were|are) responsible for)\s+${adverbs}$`;

const bringsIn = pattern('iu')`
  \b(?:generat|contribut|deliver|provid|earn|bring|brought|add)\p{L}*(?:\s+in)?\s+${adverbs}$`;

const shareAt = pattern('i')`
  \b(?:share|proportion|part|percentage(?! points?))\b[^%,;]*\b(?:was|is|were|of|at|to|reached)\s+${adverbs}$`;

const asShareOf = /\bas an? (?:share|proportion|percentage|part) of\b[^%;]*$/i;

const ofWhole = pattern('iu')`
  ^\s+of\s+(?:(?:the|our|its|all|total|net|group|consolidated|overall|company|annual|quarterly)(?:['’]s)?\s+)*
  (?:\p{Ll}+\s+)?(?:revenues?|sales|turnover|total|group|costs?|expenses?|spending|budget|headcount|assets|income
  |profits?|orders?|volumes?|output|production|donations?|funding|grants?)\b`;

/** "Europe made up 41 % of revenue", "its share of revenue was 41 %". */
function isShare(near: string, after: string): boolean {
  if (changeNoun.test(after) || /\bby\s+(?:\p{L}+\s+)?$/iu.test(near)) return false;
  return (
    makesUp.test(near) ||
    (bringsIn.test(near) && /^\s+(?:of|to)\b/i.test(after)) ||
    shareAt.test(near) ||
    asShareOf.test(near) ||
    ofWhole.test(after)
  );
}

export function findMoves(clause: string): { start: number; end: number; text: string; direction: 1 | 0 | -1 }[] {
  const found = [
    ...[...clause.matchAll(up)].map((match) => ({ match, direction: 1 as const })),
    ...[...clause.matchAll(down)].map((match) => ({ match, direction: -1 as const })),
    ...[...clause.matchAll(flatWords)].map((match) => ({ match, direction: 0 as const })),
  ];
  return found
    .map(({ match, direction }) => ({
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
      direction,
    }))
    .toSorted((left, right) => left.start - right.start);
}

const ambiguousMove = pattern('i')`
  ^(?:record|recovered|lost|contract|advanced|up|down|doubled|tripled|trebled|quadrupled|halved|gained?|gains)$`;

/** "Improved" says up of a profit and down of a cost; "record" and "growth" alone say nothing sure. */
export function isAmbiguousMove(word: string, metric: string): boolean {
  if (ambiguousMove.test(word)) return true;
  if (/narrowed|widened/i.test(word)) return !/margin/.test(metric);
  const good = /margin|profit|revenue|cash|ebitda|income|earnings|orderintake|backlog/.test(metric);
  if (/strength|weak|soften/i.test(word)) return /cost|expense|debt|loss|tax|liabilit/.test(metric);
  return /improv|deterior/i.test(word) && !good;
}

/** A part or a multiple in words, with the room that the words leave. */
export interface WordedNumber extends ScannedNumber {
  said: StatementRole;
}

const parts: Record<string, number> = {
  half: 1 / 2,
  third: 1 / 3,
  quarter: 1 / 4,
  fifth: 1 / 5,
  sixth: 1 / 6,
  tenth: 1 / 10,
};

const counts: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4 };

const times: Record<string, number> = { doubled: 1, tripled: 2, trebled: 2, quadrupled: 3, halved: -0.5 };

const room = patternPart`
  (?<room>just over|slightly over|slightly more than|a little over|well over|over|more than|just under
  |slightly under|slightly less than|a little under|well under|under|less than|nearly|almost|close to|about|around
  |approximately|roughly|some)`;

const fractions = pattern('gi')`
  \b(?:${room}\s+)?(?:(?<count>an?|one|two|three|four)[ -])?(?<part>half|thirds?|quarters?|fifths?|sixths?|tenths?)
  (?=\s+of\s+(?!20\d\d|the (?:year|quarter|month|period))|\s+of$)`;

const multiples = new RegExp(String.raw`\b(?:${room}\s+)?(?<times>doubled|tripled|trebled|quadrupled|halved)\b`, 'gi');

/** "Just over a third of revenue", "more than doubled": what is plainly not so can be told though no digit is there. */
export function scanWordedNumbers(text: string): WordedNumber[] {
  const found: WordedNumber[] = [];
  for (const { 0: match, index, groups } of text.matchAll(fractions)) {
    const { count, part } = groups as { count?: string; part: string };
    // "The third of four": only a half goes without a count.
    if (count === undefined && part !== 'half') continue;
    const whole = (counts[count?.toLowerCase() ?? 'one'] ?? 1) * parts[part.toLowerCase().replace(/s$/, '')]!;
    found.push(buildWordedNumber(match, index, whole, 0.06, groups?.['room'], { role: 'share', direction: null }));
  }
  for (const { 0: match, index, groups } of text.matchAll(multiples)) {
    const by = times[groups!['times']!.toLowerCase()]!;
    found.push(
      buildWordedNumber(match, index, by, 0.2 * Math.abs(by), groups?.['room'], {
        role: 'change',
        direction: by < 0 ? -1 : 1,
      }),
    );
  }
  return found;
}

function buildWordedNumber(
  text: string,
  start: number,
  value: number,
  about: number,
  said: string | undefined,
  role: StatementRole,
): WordedNumber {
  const word = said?.toLowerCase() ?? '';
  const side = /over|more/.test(word) ? 1 : /under|less|nearly|almost|close/.test(word) ? -1 : 0;
  const wide = /^(?:well )?(?:over|under|more than|less than)$/.test(word)
    ? Math.max(about, Math.abs(value) / 2)
    : about;
  const away = Math.sign(value) * side * wide;
  return {
    start,
    end: start + text.length,
    text,
    value: value + away,
    precision: side === 0 ? about : wide + 0.03,
    scale: null,
    unit: '%',
    year: false,
    said: role,
  };
}
