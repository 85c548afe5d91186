import { recordOf, textOrNull, textsOf, type Distribution, type TurnView } from './trial-view.ts';

export interface Finding {
  why: string;
  holds: boolean;
  evidence: TurnView['evidence'];
  clauses: readonly string[];
}

export interface Objection {
  to: string;
  kind: string;
  point: string;
  material: boolean;
}

/** What a turn says beside its statement, its score and its evidence; what its role does not say is empty. */
export interface Stance {
  concession: string | null;
  clauses: readonly string[];
  label: string | null;
  behaviour: string | null;
  distribution: Distribution | null;
  objections: readonly Objection[] | null;
  /** What recurs among the precedents, in the words of the supporter. */
  patterns: readonly string[];
}

export function stanceOf({ answer, fallback }: TurnView): Stance {
  const read = recordOf(answer);
  const heard = fallback === null;
  return {
    concession: textOrNull(read['concession']) || null,
    clauses: textsOf(read['clauses']),
    label: heard ? textOrNull(read['label']) : null,
    behaviour: heard ? textOrNull(read['behaviour']) : null,
    distribution: distributionOf(read['distribution']),
    objections: heard && Array.isArray(read['objections']) ? read['objections'].map(objectionOf) : null,
    patterns: textsOf(read['patterns']),
  };
}

/** What an arbiter found, by name: its evidence is that of its turn, in the order of its findings. */
export function findingsOf<Name extends string>(
  turn: TurnView | undefined,
  names: readonly Name[],
): Record<Name, Finding> | null {
  if (turn === undefined || turn.state !== 'said' || turn.fallback !== null) return null;
  let from = 0;
  const findings = names.map((name): [Name, Finding] => {
    const read = recordOf(recordOf(turn.answer)[name]);
    const quotes = textsOf(read['evidence']).length;
    const evidence = turn.evidence.slice(from, from + quotes);
    from += quotes;
    return [
      name,
      {
        why: textOrNull(read['why']) ?? '',
        holds: read['holds'] === true,
        evidence,
        clauses: textsOf(read['clauses']),
      },
    ];
  });
  return Object.fromEntries(findings) as Record<Name, Finding>;
}

function objectionOf(value: unknown): Objection {
  const { to, kind, point, material } = recordOf(value);
  return {
    to: textOrNull(to) ?? '',
    kind: textOrNull(kind) ?? '',
    point: textOrNull(point) ?? '',
    material: material === true,
  };
}

/** Stated shares, brought to a sum of one. */
export function distributionOf(value: unknown): Distribution | null {
  const { explicit, implicit, none } = recordOf(value);
  if (![explicit, implicit, none].every((share) => typeof share === 'number' && share >= 0)) return null;
  const [one, two, three] = [explicit, implicit, none] as [number, number, number];
  const sum = one + two + three;
  return sum > 0 && Number.isFinite(sum) ? { explicit: one / sum, implicit: two / sum, none: three / sum } : null;
}
