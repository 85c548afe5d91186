import type { Dossier } from '../../../../../jobs/documents/index.ts';
import { quoteRows, readTable, type ReadTable } from '../table/read-table.ts';
import { negationWords } from '../compare-words.ts';
import { type Signal, documentWeights as weights } from '../signal.ts';
import { isAsking, readQuestion, type Question } from './read-question.ts';
import { readSeries, listStems, readTime, type Point, type Series } from './read-series.ts';
import { isCommonStem, tokenize, type Token, pattern } from '../../../../../text/index.ts';

interface TimedTable {
  table: ReadTable;
  series: readonly Series[];
  /** The words that the table, its title and its headings know. */
  known: ReadonlySet<string>;
}

interface Ruling {
  holds: boolean;
  why: string;
  table: ReadTable;
  points: readonly Point[];
}

const timed = new WeakMap<Dossier, TimedTable[]>();

function listTimedTables(dossier: Dossier): TimedTable[] {
  let found = timed.get(dossier);
  if (!found) {
    found = dossier.documents.flatMap((document) =>
      document.blocks.flatMap((block) => {
        const table = readTable(document, block);
        const series = table ? readSeries(table) : [];
        if (!table || series.length === 0) return [];
        const words = [
          block.table!.caption ?? '',
          ...block.section,
          ...table.columns.map(({ header }) => header),
        ].flatMap(listStems);
        return [{ table, series, known: new Set(words) }];
      }),
    );
    timed.set(dossier, found);
  }
  return found;
}

/** What is not said as a fact of the past cannot be held against a table. */
const notStated = pattern('iu')`
  \b(?:will|would|could|may|might|expect\w*|forecast\w*|anticipat\w*|plans?|target\w*|if|unless|likely|should
  |about to|guidance)\b`;
const clauseEnd = pattern('iu')`
  [,;:()]|\b(?:due to|driven by|because(?: of)?|reflecting|thanks to|as a result of|owing to|while|whereas|although
  |though|despite|but)\b`;

/** What rose, fell or is highest, against tables over time; silent where a word is unknown or tables disagree. */
export function weighTrends(claim: string, dossier: Dossier): Signal | null {
  const tables = listTimedTables(dossier);
  if (
    tables.length === 0 ||
    notStated.test(claim) ||
    (claim.toLowerCase().match(/[\p{L}'’]+/gu) ?? []).some((word) => negationWords.has(word.replace('’', "'")))
  )
    return null;
  const clauses = claim.split(clauseEnd).filter((clause) => /\p{L}/u.test(clause ?? ''));
  const rulings = clauses.flatMap(
    (clause) => findAgreement(tables.flatMap((table) => ruleOn(clause, claim, table) ?? [])) ?? [],
  );
  const ruling =
    rulings.find(({ holds }) => !holds) ?? (clauses.length === 1 && !hasAmount(claim) ? rulings[0] : undefined);
  if (!ruling) return null;
  const { holds, why, table, points } = ruling;
  return {
    kind: 'table',
    sure: true,
    weight: holds ? weights.table.holds : weights.table.fails,
    why,
    quotes: quoteRows(
      table,
      points.map(({ row }) => row),
    ),
    missing: [],
  };
}

/** One answer of all tables that have one; none where they differ. */
function findAgreement(rulings: readonly Ruling[]): Ruling | null {
  return rulings[0] && rulings.every(({ holds }) => holds === rulings[0]!.holds) ? rulings[0] : null;
}

/** A stated amount is the number tools' business; a direction that is wrong is wrong with any. */
function hasAmount(claim: string): boolean {
  return /\d/u.test(claim.replace(/\b(?:[QH][1-4]|FY\s?\d{2,4}|(?:19|20)\d\d)\b/giu, ''));
}

function ruleOn(clause: string, claim: string, { table, series, known }: TimedTable): Ruling | null {
  const tokens = tokenize(clause);
  const question = readQuestion(tokens);
  if (!question) return null;
  const named = findMentioned(tokens, series);
  if (named.length === 0 || hasForeignWord(tokens, named, known)) return null;
  const answers = answerByMeasure(question, named, { all: series, time: readTime(claim), tokens, known });
  if (answers.length === 0 || answers.some(({ holds }) => holds !== answers[0]!.holds)) return null;
  return { ...answers[0]!, table };
}

interface Named {
  series: Series;
  /** The first of its tokens in the clause. */
  at: number;
}

/** The series whose whole name stands in a clause; of names within names the longest. */
function findMentioned(tokens: readonly Token[], series: readonly Series[]): Named[] {
  const stems = tokens.map(({ stem }) => stem);
  const found = series.flatMap((one) => {
    const places = one.subject.map((stem) => stems.indexOf(stem));
    return places.every((at) => at >= 0) ? [{ series: one, at: Math.min(...places) }] : [];
  });
  return found.filter(
    ({ series: { subject } }) =>
      !found.some(
        ({ series: other }) =>
          other.subject.length > subject.length && subject.every((stem) => other.subject.includes(stem)),
      ),
  );
}

/** Whether a clause has a word that neither the table nor the way of asking accounts for. */
function hasForeignWord(tokens: readonly Token[], named: readonly Named[], known: ReadonlySet<string>): boolean {
  const subjects = new Set(named.flatMap(({ series }) => series.subject));
  return tokens.some(
    ({ stem, number }) =>
      number === null &&
      !isCommonStem(stem) &&
      !isAsking(stem) &&
      !subjects.has(stem) &&
      !known.has(stem) &&
      !/^(?:q|h|fy)$/iu.test(stem) &&
      stem !== 'be',
  );
}

interface Asked {
  all: readonly Series[];
  time: number | null;
  tokens: readonly Token[];
  known: ReadonlySet<string>;
}

type Answer = Omit<Ruling, 'table'>;

/** One answer for each measure that may be meant. */
function answerByMeasure(question: Question, named: readonly Named[], asked: Asked): Answer[] {
  const stems = new Set(asked.tokens.map(({ stem }) => stem));
  const measures = Map.groupBy(named, ({ series }) => series.measure.join(' '));
  const meant = [...measures].filter(([, [first]]) => first!.series.measure.some((stem) => stems.has(stem)));
  return (meant.length > 0 ? meant : [...measures]).flatMap(
    ([measure, members]) =>
      answerQuestion(question, members, {
        ...asked,
        all: asked.all.filter((one) => one.measure.join(' ') === measure),
      }) ?? [],
  );
}

function answerQuestion(question: Question, named: readonly Named[], asked: Asked): Answer | null {
  const subjects = [...new Set(named)];
  if (question.kind === 'move') {
    const moves = subjects.map(({ series }) => findMove(series, asked.time));
    if (moves.some((move) => move === null) || (subjects.length > 1 && !areTogether(subjects, question.at)))
      return null;
    const outcomes = moves.map((move) => fitsMove(move!, question));
    if (outcomes.some((outcome) => outcome === null)) return null;
    const shown = moves.filter((_, index) => outcomes.every(Boolean) || !outcomes[index]) as Move[];
    return {
      holds: outcomes.every(Boolean),
      why: shown.map(formatMove).join('; '),
      points: shown.flatMap(({ from, to }) => [from, to]),
    };
  }
  if (question.kind === 'top') return subjects.length === 1 ? answerTop(question, subjects[0]!.series, asked) : null;
  const left = subjects.filter(({ at }) => at < question.than);
  const right = subjects.filter(({ at }) => at > question.than);
  if (left.length !== 1 || right.length !== 1) return null;
  const [a, b] = [left[0]!.series, right[0]!.series];
  const { more } = question;
  if (question.kind === 'level') return compareLevels(a, b, more, asked.time);
  if (question.kind === 'pace') return comparePaces(a, b, question, asked.time);
  const [level, pace] = [compareLevels(a, b, more, asked.time), comparePaces(a, b, { more, direction: 1 }, asked.time)];
  return level && pace && level.holds === pace.holds
    ? { holds: pace.holds, why: `${level.why}; ${pace.why}`, points: pace.points }
    : null;
}

function compareLevels(a: Series, b: Series, more: 1 | -1, time: number | null): Answer | null {
  const [first, second] = [findLevel(a, time), findLevel(b, time)];
  if (!first || !second || first.time !== second.time) return null;
  return {
    holds: (first.value - second.value) * more > 0,
    why: `${a.name} has ${first.value}, ${b.name} ${second.value}`,
    points: [first, second],
  };
}

function comparePaces(
  a: Series,
  b: Series,
  { more, direction }: { more: 1 | -1; direction: 1 | -1 },
  time: number | null,
): Answer | null {
  const [first, second] = [findMove(a, time), findMove(b, time)];
  if (!first || !second || first.from.time !== second.from.time || first.to.time !== second.to.time) return null;
  const [paceA, paceB] = [first.rate * direction, second.rate * direction];
  // Who shrank did not grow, neither faster nor slower.
  const holds = paceA > 0 && (paceA - paceB) * more > 0;
  return {
    holds,
    why: `${formatMove(first)}; ${formatMove(second)}`,
    points: [first.from, first.to, second.from, second.to],
  };
}

/** "Asia and Europe grew": all of them are named on one side of the verb. */
function areTogether(named: readonly Named[], at: number): boolean {
  return named.every((one) => one.at < at);
}

interface Move {
  name: string;
  from: Point;
  to: Point;
  /** By which part it changed. */
  rate: number;
}

/** From one period to the next: to the one that is named, else the latest; null where it cannot be told which. */
function findMove({ name, points }: Series, time: number | null): Move | null {
  const index = time === null ? points.length - 1 : points.findIndex((point) => point.time === time);
  if (index < 1) return null;
  const [from, to] = [points[index - 1]!, points[index]!];
  if (from.value <= 0) return null;
  // Where nothing says when, all of the time has to have gone the same way.
  if (time === null && points.length > 2 && Math.sign(to.value - from.value) !== Math.sign(to.value - points[0]!.value))
    return null;
  return { name, from, to, rate: to.value / from.value - 1 };
}

function findLevel({ points }: Series, time: number | null): Point | null {
  return (time === null ? points.at(-1) : points.find((point) => point.time === time)) ?? null;
}

/** Whether a move is what is said; null where words leave it open. */
function fitsMove({ rate }: Move, { direction, times }: Extract<Question, { kind: 'move' }>): boolean | null {
  if (times !== null) {
    const ratio = (1 + rate) / times;
    return ratio > 0.95 && ratio < 1.1 ? true : ratio < 0.85 || ratio > 1.3 ? false : null;
  }
  if (direction === 0) return Math.abs(rate) <= 0.01 ? true : Math.abs(rate) >= 0.04 ? false : null;
  return rate === 0 ? false : Math.sign(rate) === direction;
}

const totals = /\b(?:total|sum|overall|group|consolidated|all)\b/iu;

function answerTop(
  { of, more }: Extract<Question, { kind: 'top' }>,
  subject: Series,
  { all, time }: Asked,
): Answer | null {
  const rivals = all.filter(({ name }) => !totals.test(name));
  if (rivals.length < 2 || !rivals.includes(subject)) return null;
  const rated = rivals.map((one) => {
    const [point, move] = [findLevel(one, time), findMove(one, time)];
    const value = of === 'level' ? point?.value : move?.rate;
    return value === undefined
      ? null
      : {
          one,
          value,
          points: of === 'level' ? [point!] : [move!.from, move!.to],
          why: of === 'level' ? `${one.name} has ${point!.value}` : formatMove(move!),
        };
  });
  if (rated.some((rate) => rate === null)) return null;
  const [first] = rated.toSorted((a, b) => (b!.value - a!.value) * more);
  const own = rated.find((rate) => rate!.one === subject)!;
  const holds = own.value === first!.value;
  return {
    holds,
    why: holds ? first!.why : `${first!.why}; ${own.why}`,
    points: holds ? own.points : [...first!.points, ...own.points],
  };
}

function formatMove({ name, from, to, rate }: Move): string {
  return `${name} went from ${from.value} to ${to.value} (${rate > 0 ? '+' : ''}${Number((rate * 100).toFixed(1))} %)`;
}
