import { pattern, patternPart } from '@agonhq/engine/text';
import { bindSeries, listParts, namesOf, narrowSeries } from './bind-series.ts';
import { listMembers, readCount } from './read-counts.ts';
import { computeExpression, type Expression, type Proposition } from './expression.ts';
import { bindOne, cell, findNumber, state, type NumberReading, type NumberScope } from './scope.ts';
import { isTotalLabel, type Fact, type TypedTable } from './typed-table.ts';

const span = patternPart`(?:years?|quarters?|months?|periods?|weeks?|halves)`;
const always = new RegExp(
  [
    String.raw`\b(?:in |for |during )?(?:every|each)(?: single| reported| successive| following| one of the(?: \w+)?)? ${span}\b`,
    String.raw`\b(?:in |during |across |over )?all (?:of the |the )?(?:\w+ )?${span}\b`,
    String.raw`\bwithout (?:any |a |a single )?(?:interruption|break|exception|pause|setback|decline|dip|drop|fall|let-up)\b`,
    String.raw`\b(?:with )?(?:no|not a single) (?:setback|interruption|break|pause|exception|let-up)s?\b`,
    String.raw`\b(?:steadily|continuously|consistently|uninterrupted(?:ly)?|continually|unbroken|constantly)\b`,
    String.raw`\b(quarter|year|month) (?:after|by) \1\b`,
    String.raw`\bthroughout\b`,
    String.raw`\b(?<count>\w+)(?: \w+)? in a row\b|\b(?:a |the |for the |for )?(?<number>\w+) (?:consecutive|successive|straight|running) ${span}`,
  ].join('|'),
  'i',
);
const never = /\b(?:never|at no (?:point|time)|not once)\b/i;

/** "Rose in every quarter", "four falls in a row", "never below 90": something of each time. */
export function readTrends(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const { text } = clause;
  const quantifier = always.exec(text) ?? never.exec(text);
  if (quantifier === null || /\bnot\b(?! a single)|n't\b/i.test(text)) return [];
  const [start, end] = [quantifier.index, quantifier.index + quantifier[0].length];
  const isNever = quantifier.groups === undefined;
  const series = bindOne(scope, clause.mentions);
  if (series === null) return [];
  const facts = narrowSeries(series, clause, scope.period);
  if (facts.length < 3) return [];
  const [number] = clause.numbers;
  const at = { start, end };
  if (number !== undefined && number.start > 0) {
    const more = /\b(?:above|over|exceed\w*|more than|at least|below|under|less than|topped|surpass\w*)\b/i.exec(text);
    if (more === null) return [];
    const up = !/below|under|less/i.test(more[0]) !== isNever;
    const of = facts.map((fact): Proposition => ({
      op: isNever ? (up ? '≥' : '≤') : up ? '>' : '<',
      left: cell(fact),
      right: state({ ...number, precision: 0 }, '', cell(fact)),
    }));
    return [{ kind: 'trend', ...at, numbers: [number], alternatives: [{ op: 'every', of }] }];
  }
  const move = clause.moves.find((one) => one.end <= start || one.start >= end);
  if (move === undefined || move.direction === 0) return [];
  const count = readCount(quantifier.groups?.['count'] ?? quantifier.groups?.['number']);
  const chosen = count === null || count < 2 ? facts : facts.slice(-count - 1);
  if (count !== null && count >= 2 && chosen.length < count + 1 && facts.length < count) return [];
  const steps = chosen.slice(1).map((fact, index): Proposition => {
    const up = (move.direction === 1) !== isNever;
    return { op: isNever ? (up ? '≥' : '≤') : up ? '>' : '<', left: cell(fact), right: cell(chosen[index]!) };
  });
  return [{ kind: 'trend', ...at, numbers: [], alternatives: [{ op: 'every', of: steps }] }];
}

const averaging = /\b(?:average[ds]?|averaging|mean|on average)\b/i;
const adding = pattern('i')`
  \b(?:together|combined|jointly|in total|altogether|cumulative(?:ly)?|the sum of|add(?:s|ed|ing)? up to|aggregate|taken
  together|between them|in aggregate|summed|in sum)\b|\bover the (?:whole |entire )?(?:\w+ )?(?:years|quarters|months|period)\b`;

/** "Together", "on average": what several values come to. */
export function readAggregates(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const isAverage = averaging.exec(clause.text);
  const found = isAverage ?? adding.exec(clause.text) ?? findJoined(clause);
  const number = clause.numbers.find(({ unit }) => unit !== 'pp');
  if (found === null || number === undefined) return [];
  // A line of the table that is called an average is one already.
  if (isAverage !== null && clause.mentions.some(({ name }) => averaging.test(name.text))) return [];
  const sets = listAggregated(scope, isAverage !== null, number.unit === '%');
  const op = isAverage === null ? 'sum' : 'average';
  const share =
    op === 'sum' && number.unit === '%' && sets.some((of) => of.every(({ number: { unit } }) => unit !== '%'));
  const alternatives = sets.flatMap((of): Proposition[] => {
    const computed: Expression = { op, of: of.map(cell) };
    if (!share) return [{ op: '=', left: computed, right: state(number, clause.text, computed, evaluateSign(of)) }];
    const whole = findWhole(scope, of[0]!);
    const ratio: Expression | null = whole && { op: 'ratio', left: computed, right: whole };
    return ratio === null ? [] : [{ op: '=', left: ratio, right: state(number, clause.text, ratio) }];
  });
  return alternatives.length === 0
    ? []
    : [
        {
          kind: share ? 'share' : op,
          start: found.index,
          end: found.index + found[0].length,
          numbers: [number],
          alternatives,
        },
      ];
}

/** "Sales in A and B totalled": two names of one kind, joined, come to one number. */
function findJoined({ text, mentions, numbers }: NumberScope['clause']): RegExpExecArray | null {
  const verb = /\b(?:totall?ed|summed to|came to a total of)\b/i.exec(text);
  if (verb === null || numbers.length !== 1 || /\b(?:each|both|respectively)\b/i.test(text)) return null;
  const isJoined = mentions.some((one, at) =>
    mentions
      .slice(at + 1)
      .some(
        (other) =>
          other.name.category === one.name.category &&
          other.name !== one.name &&
          other.end <= verb.index &&
          /^\s+and\s+(?:in\s+|of\s+|the\s+)*$/i.test(text.slice(one.end, other.start)),
      ),
  );
  return isJoined ? verb : null;
}

const evaluateSign = (of: readonly Fact[]): 1 | -1 =>
  of.reduce((sum, { number }) => sum + number.value, 0) < 0 ? -1 : 1;

function listAggregated(scope: NumberScope, isAverage: boolean, rate: boolean): Fact[][] {
  const { clause } = scope;
  const wanted = rate && isAverage ? 'rate' : 'amount';
  const groups = [...Map.groupBy(clause.mentions, ({ name }) => name.category).values()].filter(
    (members) => namesOf(members).length > 1,
  );
  const several = groups[0];
  if (several !== undefined) {
    const rest = clause.mentions.filter((mention) => !several.includes(mention));
    const facts = namesOf(several).map((name) => {
      const series = bindSeries(clause.table, [...namesOf(rest), name], wanted);
      return series.length === 1 ? findNumber(scope, series[0]!) : null;
    });
    return facts.some((fact) => fact === null) ? [] : [facts as Fact[]];
  }
  const found: Fact[][] = [];
  const series = bindOne(scope, clause.mentions, wanted);
  if (series !== null) {
    const facts = narrowSeries(series, clause, scope.period);
    if (facts.length > 1 && (clause.periods.length !== 1 || facts.length < series.facts.length || isAverage))
      found.push([...facts]);
  }
  const members =
    /\b(?:per|across|over all|of all|by)\b/i.test(clause.text) || series === null ? listMembers(scope) : null;
  if (members !== null && members.length > 1) found.push(members.map(({ fact }) => fact));
  return found;
}

/** The total that a value is a part of: the line that holds it, else all parts together. */
export function findWhole({ clause }: NumberScope, part: Fact): Expression | null {
  const { table } = clause;
  const same = (fact: Fact): boolean =>
    fact.number.unit === part.number.unit &&
    fact.number.period === part.number.period &&
    fact.row.index !== part.row.index;
  const totals = table.facts.filter(
    (fact) => table.totals.has(fact.row.index) && fact.column === part.column && same(fact),
  );
  const largest = totals.toSorted((left, right) => right.number.value - left.number.value)[0];
  const all = addParts(table, part);
  // The largest total may be one of some parts only.
  const isWhole = all === null || largest === undefined || largest.number.value * 1.02 >= computeExpression(all).value;
  if (largest !== undefined && isWhole && largest.number.value > part.number.value) return cell(largest);
  const across = table.facts.filter(
    ({ row, column, number }) =>
      row === part.row && column !== part.column && number.unit === part.number.unit && isTotalLabel(column.label),
  );
  if (across.length === 1) return cell(across[0]!);
  return all;
}

/** All parts beside a value, itself among them. */
function addParts(table: TypedTable, part: Fact): Expression | null {
  const own = table.names.find(
    (name) => !name.total && name.rows?.has(part.row.index) && name.category.startsWith('row:'),
  );
  if (own === undefined || listParts(table, own.category).length < 2) return null;
  const parts = listParts(table, own.category).flatMap((name) =>
    table.facts.filter(
      ({ row, column, number }) =>
        name.rows!.has(row.index) && column === part.column && number.period === part.number.period,
    ),
  );
  const isOneKind = new Set(parts.map(({ number }) => number.unit)).size === 1;
  return parts.length === listParts(table, own.category).length && isOneKind
    ? { op: 'sum', of: parts.map(cell) }
    : null;
}
