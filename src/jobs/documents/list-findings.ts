import type { Analysis } from './analysis.ts';
import type { NumberFinding } from './numbers/finding.ts';

/** A number finding with the claims that it touches, by their numbers from 1. */
export interface TouchedFinding {
  finding: NumberFinding;
  claims: readonly number[];
}

/** Every number finding once, conflicts first: of the documents, and on claims that no document states. */
export function listTouchedFindings({ claims, numbers }: Analysis): TouchedFinding[] {
  const findings = new Map<string, { finding: NumberFinding; claims: Set<number> }>();
  const known = (finding: NumberFinding) => {
    const entry = findings.get(findingKey(finding)) ?? { finding, claims: new Set<number>() };
    findings.set(findingKey(finding), entry);
    return entry;
  };
  for (const [index, claim] of claims.entries())
    for (const finding of claim.numbers) known(finding).claims.add(index + 1);
  for (const finding of numbers) known(finding);
  return [...findings.values()]
    .toSorted((a, b) => Number(b.finding.outcome === 'conflict') - Number(a.finding.outcome === 'conflict'))
    .map(({ finding, claims: touched }) => ({ finding, claims: [...touched] }));
}

/** A claim's own findings have ids of their own: what makes two of them one is what they say. */
export function isSameFinding(a: NumberFinding, b: NumberFinding): boolean {
  return findingKey(a) === findingKey(b);
}

function findingKey({ check, outcome, statement, arithmetic, places }: NumberFinding): string {
  return JSON.stringify([
    check,
    outcome,
    statement,
    arithmetic,
    places.map(({ block, start, end }) => [block, start, end]),
  ]);
}
