import type { CaseOutcome, Ledger } from '../index.ts';
import type { StatementSettings } from './dsa-terms.ts';
import type { StatementPeriod } from './list-statements.ts';
import { findVisibility } from './make-statement.ts';
import { isWithinPeriod, settleCase, type SettledCase } from './settle-case.ts';

/** How many, by name, the most first. */
export type Counts = Readonly<Record<string, number>>;

/** A share, and of how many; null where there are none. */
export interface CountedShare {
  count: number;
  of: number;
  share: number | null;
}

export interface TransparencyFigures {
  version: 1;
  from: string;
  to: string;
  /** Cases that were decided in this time, and those that were judged in it and wait for a person. */
  decided: number;
  waiting: number;
  byAction: Counts;
  /** Of decisions against contents; one that names several clauses counts for each. */
  byClause: Counts;
  byLanguage: Counts;
  /** Where it was posted: the channel of its context. */
  bySource: Counts;
  automated: number;
  byPeople: number;
  /** Decisions that restrict contents: there is a statement of reasons for each. */
  statements: number;
  appeals: {
    decided: number;
    waiting: number;
    upheld: number;
    overturned: number;
    /** Against a case that is not on record any more, or waits. */
    unknown: number;
  };
  /** From the submission to the decision that stands, in seconds; null where there is none. */
  secondsToDecide: { median: number | null; automated: number | null; byPeople: number | null };
  errors: {
    /** Verdicts that people looked at, for whatever reason, and decided otherwise. */
    contradicted: CountedShare;
    /** The same among those drawn at random of what the machine was sure of: what it gets wrong unseen. */
    contradictedInSample: CountedShare;
    /** Verdicts of unsafe that people decided to be safe, and the other way round. */
    wronglyUnsafe: CountedShare;
    wronglySafe: CountedShare;
  };
}

const job = 'moderation';
const unknown = 'unknown';

/** What was decided in a time, in figures. */
export async function countFigures(
  ledger: Pick<Ledger, 'outcomes'>,
  period: StatementPeriod,
  settings?: StatementSettings,
): Promise<TransparencyFigures> {
  const tally = new Tally(settings);
  for await (const outcomes of ledger.outcomes.readOutcomes({ ...period, job })) {
    for (const outcome of outcomes) tally.add(outcome, settleCase(outcome), period);
    await tally.compareAppeals(ledger);
  }
  return tally.sum(period);
}

class Tally {
  readonly #settings: StatementSettings | undefined;
  readonly #byAction = new Map<string, number>();
  readonly #byClause = new Map<string, number>();
  readonly #byLanguage = new Map<string, number>();
  readonly #bySource = new Map<string, number>();
  readonly #seconds: Record<SettledCase['by'], number[]> = { machine: [], person: [] };
  #appeals: { of: string; label: string }[] = [];
  readonly #heard = { decided: 0, waiting: 0, upheld: 0, overturned: 0, unknown: 0 };
  #waiting = 0;
  #statements = 0;
  readonly #reviewed = { all: 0, contradicted: 0, sampled: 0, inSample: 0, unsafe: 0, cleared: 0, safe: 0, blamed: 0 };

  constructor(settings: StatementSettings | undefined) {
    this.#settings = settings;
  }

  add(outcome: CaseOutcome, settled: SettledCase | null, period: StatementPeriod): void {
    if (!settled) {
      if (!isWithinPeriod(outcome.closedAt, period)) return;
      if (outcome.appealOf === null) this.#waiting += 1;
      else this.#heard.waiting += 1;
      return;
    }
    if (!isWithinPeriod(settled.at, period)) return;
    if (outcome.appealOf !== null) {
      this.#heard.decided += 1;
      this.#appeals.push({ of: outcome.appealOf, label: settled.label });
      return;
    }
    count(this.#byAction, settled.action ?? unknown);
    if (settled.label === 'unsafe')
      for (const clause of settled.clauses.length > 0 ? settled.clauses : [unknown]) count(this.#byClause, clause);
    // `und`: nobody could tell.
    count(this.#byLanguage, outcome.language === 'und' ? unknown : (outcome.language ?? unknown));
    count(this.#bySource, outcome.channel ?? unknown);
    this.#seconds[settled.by].push((settled.at.getTime() - outcome.openedAt.getTime()) / 1000);
    if (findVisibility(settled, this.#settings) !== null) this.#statements += 1;
    if (settled.by === 'person') this.#review(outcome, settled);
  }

  #review({ label, sampled }: CaseOutcome, settled: SettledCase): void {
    // Where the machine left it open, nobody contradicts it.
    if (label !== 'safe' && label !== 'unsafe') return;
    const isOther = Number(settled.label !== label);
    this.#reviewed.all += 1;
    this.#reviewed.contradicted += isOther;
    this.#reviewed[label] += 1;
    this.#reviewed[label === 'unsafe' ? 'cleared' : 'blamed'] += isOther;
    if (!sampled) return;
    this.#reviewed.sampled += 1;
    this.#reviewed.inSample += isOther;
  }

  /** Against what stood before, a page at a time. */
  async compareAppeals({ outcomes }: Pick<Ledger, 'outcomes'>): Promise<void> {
    const waiting = this.#appeals;
    this.#appeals = [];
    if (waiting.length === 0) return;
    const found = await outcomes.findOutcomes([...new Set(waiting.map(({ of }) => of))]);
    const before = new Map(found.map((one) => [one.id, settleCase(one)?.label]));
    for (const { of, label } of waiting) {
      const earlier = before.get(of);
      if (earlier === undefined) this.#heard.unknown += 1;
      else if (earlier === label) this.#heard.upheld += 1;
      else this.#heard.overturned += 1;
    }
  }

  sum({ from, to }: StatementPeriod): TransparencyFigures {
    const { machine, person } = this.#seconds;
    const { all, contradicted, sampled, inSample, unsafe, cleared, safe, blamed } = this.#reviewed;
    return {
      version: 1,
      from: from.toISOString(),
      to: to.toISOString(),
      decided: machine.length + person.length,
      waiting: this.#waiting,
      byAction: sortCounts(this.#byAction),
      byClause: sortCounts(this.#byClause),
      byLanguage: sortCounts(this.#byLanguage),
      bySource: sortCounts(this.#bySource),
      automated: machine.length,
      byPeople: person.length,
      statements: this.#statements,
      appeals: { ...this.#heard },
      secondsToDecide: {
        median: findMedian([...machine, ...person]),
        automated: findMedian(machine),
        byPeople: findMedian(person),
      },
      errors: {
        contradicted: shareOf(contradicted, all),
        contradictedInSample: shareOf(inSample, sampled),
        wronglyUnsafe: shareOf(cleared, unsafe),
        wronglySafe: shareOf(blamed, safe),
      },
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sortCounts(counts: ReadonlyMap<string, number>): Counts {
  return Object.fromEntries([...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

function shareOf(some: number, of: number): CountedShare {
  return { count: some, of, share: of === 0 ? null : some / of };
}

function findMedian(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
