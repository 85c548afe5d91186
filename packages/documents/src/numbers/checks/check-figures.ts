import { splitClauses } from '../statements/split-clauses.ts';
import { formatAmount, draftFinding, formatValue, isWithin, type Draft } from './draft-finding.ts';
import type { NumberPlace } from '../finding.ts';
import { scanPeriods } from '../values/scan-periods.ts';
import { findRole, type StatementRole } from '../statements/find-roles.ts';
import type { DecimalMark, ScannedNumber } from '../values/scan-numbers.ts';
import { isForecast, isLoose, scanMeantNumbers } from '../statements/qualify-numbers.ts';
import { pattern } from '@agonhq/engine/text';

/** A sentence with where it stands. */
export interface PlacedSentence {
  text: string;
  mark: DecimalMark;
  /** The document is long, and speaks of many things. */
  several: boolean;
  /** Of a number in it; null for a claim that is not in the dossier. */
  placeOf: (number: { start: number; end: number; text: string }) => NumberPlace | null;
}

interface Figure extends StatementRole {
  number: ScannedNumber;
  value: number;
  precision: number;
  loose: boolean;
}

/**
 * "Increased by $1.2 billion, or 9 %, to $14.4 billion from $13.2 billion": two values, their difference and their
 * growth against each other, whatever they measure.
 */
export function checkFigures(sentence: PlacedSentence): Draft[] {
  const figures = (sentence.text.match(/\d[\d.,]*/g)?.length ?? 0) < 3 ? [] : readFigures(sentence);
  if (figures.length < 3 || /\brespectively\b/i.test(sentence.text)) return [];
  const whole = checkTuple(keepStatement(figures, sentence), sentence);
  return (
    whole ??
    splitClauses(sentence.text).flatMap(
      ([from, to]) =>
        checkTuple(
          figures.filter(({ number }) => number.start >= from && number.start < to),
          sentence,
        ) ?? [],
    )
  );
}

const besideIt = pattern('i')`
  \b(?:due to|driven by|offset by|reflect\w*|which|includ\w+|attributable to|as a result of|resulting from|because of
  |primarily|mainly)\b`;

/** "Rose 5 %, due to stores that added $3 million": what a cause comes to is not what rose. */
function keepStatement(figures: readonly Figure[], { text }: PlacedSentence): readonly Figure[] {
  const from = besideIt.exec(text)?.index ?? text.length;
  const before = figures.filter(({ number }) => number.start < from);
  return before.length === 0 ? figures : before;
}

function readFigures({ text, mark }: PlacedSentence): Figure[] {
  const figures: Figure[] = [];
  for (const number of scanMeantNumbers(text, mark, scanPeriods(text))) {
    const before = text.slice(0, number.start);
    const last = figures.at(-1);
    const again =
      last?.role === 'change' &&
      /^\s*(?:,\s*)?(?:or|\()\s*(?:by\s+|an? \w+ of\s+)?(?:about |approximately |nearly )?$/i.test(
        text.slice(last.number.end, number.start),
      );
    const role = again ? last : findRole(before, text.slice(number.end), number);
    if (role === null || role.role === 'share') continue;
    const factor = number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
    figures.push({
      ...role,
      number,
      value: number.value * factor,
      precision: number.precision * factor,
      loose: isLoose(before),
    });
  }
  return widenThousands(figures);
}

/** "$759,000 from $526,000": where all amounts end in a thousand, that is what they are rounded to. */
function widenThousands(figures: readonly Figure[]): Figure[] {
  const isBare = ({ number: { scale, unit } }: Figure): boolean => scale === null && unit !== '%' && unit !== 'pp';
  const isRound = figures.filter(isBare).every(({ value }) => value !== 0 && value % 1000 === 0);
  return figures.map((figure) => (isRound && isBare(figure) ? { ...figure, precision: 500 } : figure));
}

/** A loss beside an income, or a value in brackets: which is below nought is not said by its digits. */
function isOfBothSigns(text: string, levels: readonly Figure[]): boolean {
  const isMixed =
    /\bloss(?:es)?\b|\bdeficit\b|\bused in\b|\bbenefit\b/i.test(text) &&
    /\b(?:income|profit|earnings|gain|surplus|provided by|provision|expense)\b/i.test(text.replace(/\(loss\)/gi, ''));
  const isGain = /\bgains?\b/i.test(text) && /\b(?:expenses?|costs?|charges?)\b/i.test(text);
  const isBracketed = levels.some(({ number }) => number.text.startsWith('(') || text[number.start - 1] === '(');
  return isMixed || isGain || isBracketed;
}

/** Nothing, where the figures are no such tuple. */
function checkTuple(figures: readonly Figure[], sentence: PlacedSentence): Draft[] | null {
  const levels = figures.filter(({ role }) => role === 'level');
  const changes = figures.filter(({ role }) => role === 'change');
  const isRate = ({ number }: Figure): boolean => number.unit === '%';
  const rates = changes.filter(isRate);
  const amounts = changes.filter((one) => !isRate(one));
  const then = levels.find(({ previous }) => previous === true);
  const now = levels.find(({ previous }) => previous !== true);
  const inPercent = levels.length > 0 && levels.every(isRate);
  const alike =
    levels.every(({ number, value }) => number.unit === levels[0]!.number.unit && value > 0) &&
    amounts.every(({ number, value }) => number.unit === (inPercent ? 'pp' : levels[0]?.number.unit) && value > 0) &&
    !(inPercent && rates.length > 0);
  if (
    now === undefined ||
    !alike ||
    levels.length !== (then === undefined ? 1 : 2) ||
    rates.length > 1 ||
    amounts.length > 1 ||
    changes.length + levels.length < 3
  )
    return null;
  const [rate] = rates;
  const [by] = amounts;
  // A loss that improved is smaller: the word says that it is better, and not which way it went.
  const direction = /\bimprov/i.test(sentence.text)
    ? null
    : (changes.map((one) => one.direction).find((one) => one !== null) ?? null);
  const measured =
    then === undefined
      ? {
          value: (direction ?? 1) * by!.value,
          precision: by!.precision,
          told: by!.number.text,
          base: now.value - (direction ?? 1) * by!.value,
          basePrecision: now.precision + by!.precision,
        }
      : {
          value: now.value - then.value,
          precision: now.precision + then.precision,
          told: `${now.number.text} − ${then.number.text}`,
          base: then.value,
          basePrecision: then.precision,
        };
  if (measured.base <= 0 || isForecast(sentence.text) || isOfBothSigns(sentence.text, levels)) return null;
  const drafts: Draft[] = [];
  const add = (stated: Figure, holds: boolean, computed: string, gap: number, opposite: boolean): void => {
    const others = [now, then, by].filter((one) => one !== undefined && one !== stated).map((one) => one!.number);
    const places = [stated.number, ...others]
      .map((number) => sentence.placeOf(number))
      .filter((place) => place !== null);
    const way = opposite ? (direction === -1 ? 'a fall of ' : 'a rise of ') : '';
    if (holds || !figures.some(({ loose }) => loose))
      drafts.push(
        draftFinding(
          opposite ? 'direction' : stated === by ? 'difference' : 'growth',
          holds,
          `“${stated.number.text}” ${holds ? 'follows' : 'does not follow'} from the values beside it in ` +
            `“${sentence.text.length > 160 ? `${sentence.text.slice(0, 157)}…` : sentence.text}”.`,
          `${computed}, stated ${way}${stated.number.text}`,
          places,
          gap,
        ),
      );
  };
  const wrongWay = (value: number, tolerance: number): boolean =>
    direction !== null && Math.abs(value) > tolerance && Math.sign(value) !== direction;
  if (by !== undefined && then !== undefined) {
    const signed = (direction ?? (Math.sign(measured.value) || 1)) * by.value;
    const holds = isWithin(measured.value, signed, measured.precision + by.precision);
    const difference = inPercent
      ? `${formatValue(100 * measured.value)} percentage points`
      : formatAmount(measured.value, { value: now.value, shown: now.number.value });
    add(
      by,
      holds,
      `${measured.told} = ${difference}`,
      Math.abs(measured.value - signed),
      !holds && wrongWay(measured.value, measured.precision),
    );
  }
  if (rate !== undefined) {
    const value = measured.value / measured.base;
    const signed = (direction ?? (Math.sign(value) || 1)) * Math.abs(rate.value);
    const rounding =
      (measured.precision + Math.abs(value) * measured.basePrecision) /
      Math.max(measured.base - measured.basePrecision, Number.EPSILON);
    // A growth rate is often computed before its values are rounded, and rounded down.
    const holds = isWithin(value, signed, rounding + 1.05 * rate.precision);
    const base =
      then === undefined ? `(${now.number.text} ${direction === -1 ? '+' : '−'} ${measured.told})` : then.number.text;
    add(
      rate,
      holds,
      `${then === undefined ? measured.told : `(${measured.told})`} / ${base} = ${formatValue(value, true)}`,
      Math.abs(value - signed),
      !holds && wrongWay(value, rounding),
    );
  }
  return drafts;
}
