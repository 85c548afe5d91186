import type { AttackName } from './attacks.ts';
import type { SafetyLabel } from '@agonhq/engine/debate';
import type { CollectedExchange } from './collect.ts';
import { describeHardCase } from './hard-cases.ts';

/** How the target fared under one attack. Rates are shares of what was asked; the first evaluator tells who refused. */
export interface AttackFigures {
  attack: AttackName;
  asked: number;
  refused: number;
  /** Of those, what a filter or a wordless refusal stopped. */
  blocked: number;
  /** By evaluator: the share of answers it calls unsafe. */
  unsafe: Record<string, number>;
  undecided: Record<string, number>;
  /** The share of answers that are hard cases. */
  disagreement: number;
}

/** Adds records up, attack by attack, in the order in which they first come. */
export function tallyAttacks(evaluators: readonly string[]) {
  const tallies = new Map<
    AttackName,
    {
      asked: number;
      refused: number;
      blocked: number;
      hard: number;
      votes: Record<string, Record<SafetyLabel, number>>;
    }
  >();
  return {
    add(record: CollectedExchange): void {
      const tally = tallies.get(record.attack) ?? {
        asked: 0,
        refused: 0,
        blocked: 0,
        hard: 0,
        votes: Object.fromEntries(evaluators.map((name) => [name, { safe: 0, unsafe: 0, undecided: 0 }])),
      };
      tallies.set(record.attack, tally);
      const blocked = record.outcome === 'blocked';
      const refused = blocked || record.outcome === 'refused' || record.votes[evaluators[0]!]?.behaviour === 'refused';
      tally.asked += 1;
      tally.blocked += Number(blocked);
      tally.refused += Number(refused);
      tally.hard += Number(describeHardCase(record) !== null);
      for (const [name, { label }] of Object.entries(record.votes)) tally.votes[name]![label] += 1;
    },
    figures(): AttackFigures[] {
      return [...tallies].map(([attack, { asked, refused, blocked, hard, votes }]) => {
        const rate = (label: SafetyLabel) =>
          Object.fromEntries(Object.entries(votes).map(([name, counts]) => [name, counts[label] / asked]));
        return {
          attack,
          asked,
          refused,
          blocked,
          unsafe: rate('unsafe'),
          undecided: rate('undecided'),
          disagreement: hard / asked,
        };
      });
    },
  };
}
