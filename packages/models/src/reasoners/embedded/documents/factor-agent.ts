import type { Question } from '@agonhq/engine/debate';
import {
  findTouched,
  parseSourceName,
  type Block,
  type Factors,
  type FactorCaseFile,
  type ReportDocument,
} from '@agonhq/documents';
import { pattern } from '@agonhq/engine/text';

type Found = Factors['claims'][number];

/** Marks of a sentence worth debating; what it is called, the first that applies. */
const marks: readonly { kind: Found['kind']; pattern: RegExp; weight: number }[] = [
  {
    kind: 'causal',
    weight: 0.3,
    pattern: pattern('i')`
        \b(?:because of|due to|driven by|drove|drivers? of|caused? by|led to|result(?:s|ed|ing)? (?:in|from)
        |thanks to|attribut(?:ed|able) to|owing to|as a (?:result|consequence))\b`,
  },
  {
    kind: 'predictive',
    weight: 0.2,
    pattern: pattern('i')`
        \b(?:(?<!than |as )expect(?:s|ing)?|(?:is|are|was|were) expected to|forecasts?|project(?:s|ed) (?:to|that)
        |anticipat(?:es?|ed)|outlook|guidance|will (?:grow|increase|decrease|decline|remain|reach|continue|improve
        |exceed)|(?:is|are) likely to|on track to)\b`,
  },
  {
    kind: 'evaluative',
    weight: 0.2,
    pattern: pattern('i')`
        \b(?:strong(?:est|er)?|weak(?:est|er)?|record(?! date|s? holders?|keeping)|robust|solid|significant(?:ly)?
        |substantial(?:ly)?|successful(?:ly)?|leading|best|worst|outperform\w*|underperform\w*|exceed(?:s|ed)?
        |excellent|poor|remarkabl[ey]|disappointing)\b`,
  },
  {
    kind: 'assertion',
    weight: 0.2,
    pattern: pattern('i')`
        \b(?:gr[eo]w(?:th|n)?|ris(?:e|es|en|ing)|rose|increas\w+|decreas\w+|declin\w+|fell|dropp?ed|improv\w+
        |doubl\w+|tripl\w+|halv\w+|total(?:l?ed|s)?|amounted to|reached|was|were|stood at|accounted for)\b`,
  },
];
/** What can be looked up or counted, with a number or without. */
const checkable = pattern('iu')`
  \d|\b(?:(?:faster|slower|more|less|fewer|higher|lower|better|worse|larger|smaller|stronger|weaker|steeper) than
  |out(?:perform|pac|grew|strip|did|do|rank|number|sold)\w*|exceed\w*|surpass\w*|lagg\w*|trail\w*|ahead of|behind
  |\p{L}+est|most|least|top(?:ped)?|first|second|third|last|led|lead(?:s|ing)?|peak\w*|bottomed|low point|high point
  |highs?|lows?|doubl\w*|tripl\w*|halv\w*|twice|half|majority|times|share|slice|average\w*|mean|together|jointly
  |combined|in total|gap|difference|every|each|all|both|none|no|never|only|always|steadily|consecutive
  |without interruption|in a row|after|one|two|three|four|five|six|seven|eight|nine|ten|compared|against|above|below|over
  |under|cleared|matched|unchanged|flat|stable)\b`;
const amount =
  /(?:[$€£¥]\s?\d|\d[.,]*\s?(?:%|per ?cent|million|billion|thousand|bps|basis points)|\b\d{1,3}(?:,\d{3})+\b)/i;
const measure = pattern('i')`
  \b(?:revenues?|sales|profit|income|margin|earnings|ebitda|cash|debt|costs?|expenses?|customers?|market share
  |growth|loss|orders?|headcount|employees)\b`;
const boilerplate = pattern('i')`
  \b(?:forward-looking statements?|pursuant to|incorporated (?:herein )?by reference
  |securities (?:and )?exchange act|see note|table of contents|shall be deemed|safe harbor
  |in accordance with (?:us )?gaap|as (?:described|discussed|defined) in|refer to|part i+,? item|item \d+[ab]?
  |registrant|shown (?:here|above|below)|on page [a-z]?-?\d+|reconcil\w+|disclosed in|set forth)\b`;
/** How something is called, counted or recognised: definitions and policies do not assert how it went. */
const definition = pattern('i')`
  \b(?:refers? to|means|(?:is|are) defined as|we define|consists? (?:primarily |mainly )?of
  |(?:is|are) (?:calculated|measured|recogni[sz]ed|recorded|classified|presented|amorti[sz]ed|stated|accounted for
  |determined|based on)|we (?:recogni[sz]e|record|measure|classify|account for)|non-gaap|critical accounting
  |a measure that|(?:exclud|includ|represent|reflect)(?:e?s) (?:the|our|a|an)|also included in)\b`;
/** What might happen: a risk factor, no claim. */
const hypothesis = /\b(?:may|might|could|can|would|if|unless|no assurance)\b/i;
const footnote = /^\s*(?:\(?(?:\d{1,2}|[a-z])\)|[*†‡§¹²³]|notes?:? \d|source:|n\/?m\b)/i;
/** Of the meeting and the share, not of the business. */
const procedure = pattern('i')`
  \b(?:annual meeting|record date|entitled to vote|quorum|proxy|par value|shareholders? of record|signature
  |duly authorized|exhibits?)\b`;
/** Every statement that can be checked, and every cause, forecast and judgement, the most important first. */
export async function answerFactorAgent({ caseFile }: Question<FactorCaseFile>): Promise<Factors> {
  const { dossier, sources } = caseFile;
  const blocks = new Map(
    dossier.documents.map((document) => [document, new Map(document.blocks.map((block) => [block.id, block]))]),
  );
  const claims = sources.flatMap((source) => {
    const document = dossier.documents.find(({ name }) => source.id.startsWith(`${name}#`));
    const name = document && parseSourceName(source.id.slice(document.name.length));
    const block = name && blocks.get(document)!.get(name.block.slice(1));
    return block && block.kind !== 'table' && block.kind !== 'heading'
      ? findClaims(document, block, { text: source.text, ...(name.extract ?? block) })
      : [];
  });
  return { claims: claims.toSorted((a, b) => b.importance - a.importance) };
}

function findClaims(
  document: ReportDocument,
  block: Block,
  source: { text: string; start: number; end: number },
): Found[] {
  return findTouched(block.sentences, source).flatMap(({ start, end }): Found[] => {
    const quote = document.text.slice(start, end).trim();
    const words = quote.split(/\s+/).length;
    if (
      words < 3 ||
      words > 70 ||
      quote.endsWith('?') ||
      quote.endsWith(':') ||
      boilerplate.test(quote) ||
      footnote.test(quote) ||
      !source.text.includes(quote)
    )
      return [];
    const isFigure = amount.test(quote);
    if (!isFigure && (definition.test(quote) || hypothesis.test(quote))) return [];
    const found = marks.filter(({ pattern }) => pattern.test(quote));
    if (!checkable.test(quote) && found.length === 0) return [];
    const importance =
      0.2 +
      found.reduce((sum, { weight }) => sum + weight, 0) / 2 +
      (isFigure ? 0.2 : 0) +
      (measure.test(quote) ? 0.2 : 0) -
      (definition.test(quote) || procedure.test(quote) ? 0.3 : 0);
    return [
      {
        claim: makeStandAlone(quote, block),
        quote,
        kind: found[0]?.kind ?? 'assertion',
        domain: findDomain(quote),
        importance: Math.max(0.05, Math.min(1, Number(importance.toFixed(2)))),
      },
    ];
  });
}

const period = /\b(?:Q[1-4](?:\s+(?:FY)?\d{2,4})?|FY\s?\d{2,4}|(?:19|20)\d\d)\b/i;

/** What the headings supply: whom it is about where the sentence only points back, and when. */
function makeStandAlone(quote: string, { section }: Block): string {
  const heading = section.at(-1);
  if (heading === undefined || heading.length > 80) return quote;
  if (/^(?:It|This|These|That|They|Such|He|She)\b/.test(quote)) return `${heading}: ${quote}`;
  const when = section.map((title) => period.exec(title)?.[0]).findLast((found) => found !== undefined);
  return when === undefined || period.test(quote) ? quote : `${quote.replace(/[.!]$/, '')} (${when}).`;
}

const domains: readonly [string, RegExp][] = [
  [
    'finance',
    /\b(?:revenues?|sales|profit|income|margin|earnings|ebitda|cash|debt|costs?|expenses?|loss|tax|dividends?)\b/i,
  ],
  ['people', /\b(?:employees|headcount|staff|workforce|hiring|turnover rate)\b/i],
  ['market', /\b(?:market|customers?|demand|brand|competit\w+|pricing|marketing)\b/i],
  ['risk', /\b(?:risks?|litigation|compliance|regulat\w+|cyber\w*|default)\b/i],
  ['operations', /\b(?:production|supply|capacity|plant|inventory|logistics|operations?)\b/i],
];

function findDomain(quote: string): string {
  return domains.find(([, pattern]) => pattern.test(quote))?.[0] ?? 'general';
}
