import { type Distribution, toRecord, toText, toTexts, type TurnView } from './trial-view.ts';

export interface Finding {
  why: string;
  holds: boolean;
  evidence: TurnView['evidence'];
  clauses: readonly string[];
}

/** What a turn says beside its statement, its score and its evidence; what its role does not say is empty. */
export interface Stance {
  concession: string | null;
  clauses: readonly string[];
  label: string | null;
  distribution: Distribution | null;
  /** What recurs among the precedents, in the words of the supporter. */
  patterns: readonly string[];
}

export function readStance({ answer, fallback }: TurnView): Stance {
  const read = toRecord(answer);
  const heard = fallback === null;
  return {
    concession: toText(read['concession']) || null,
    clauses: toTexts(read['clauses']),
    label: heard ? toText(read['label']) : null,
    distribution: readDistribution(read['distribution']),
    patterns: toTexts(read['patterns']),
  };
}

/** What an arbiter found, by name: its evidence is that of its turn, in the order of its findings. */
export function readFindings<Name extends string>(
  turn: TurnView | undefined,
  names: readonly Name[],
): Record<Name, Finding> | null {
  if (turn === undefined || turn.state !== 'said' || turn.fallback !== null) return null;
  let from = 0;
  const findings = names.map((name): [Name, Finding] => {
    const read = toRecord(toRecord(turn.answer)[name]);
    const quotes = toTexts(read['evidence']).length;
    const evidence = turn.evidence.slice(from, from + quotes);
    from += quotes;
    const { holds, why, clauses } = read;
    return [name, { why: toText(why) ?? '', holds: holds === true, evidence, clauses: toTexts(clauses) }];
  });
  return Object.fromEntries(findings) as Record<Name, Finding>;
}

/** Stated shares, brought to a sum of one. */
export function readDistribution(value: unknown): Distribution | null {
  const { explicit, implicit, none } = toRecord(value);
  if (![explicit, implicit, none].every((share) => typeof share === 'number' && share >= 0)) return null;
  const [one, two, three] = [explicit, implicit, none] as [number, number, number];
  const sum = one + two + three;
  return sum > 0 && Number.isFinite(sum) ? { explicit: one / sum, implicit: two / sum, none: three / sum } : null;
}
