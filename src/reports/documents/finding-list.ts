import type { Analysis, NumberFinding } from '../../documents/index.ts';

/** A number finding with its place on the page. */
export interface NumberedFinding {
  number: number;
  anchor: string;
  finding: NumberFinding;
  /** The claims it touches, by their numbers. */
  claims: readonly number[];
}

/** Every number finding once, conflicts first and the widest gap of the claims' own first. */
export function findingsOf(analysis: Analysis): NumberedFinding[] {
  const findings = new Map<string, { finding: NumberFinding; claims: number[] }>();
  const add = (finding: NumberFinding, claim?: number) => {
    const known = findings.get(keyOf(finding)) ?? { finding, claims: [] };
    if (claim !== undefined) known.claims.push(claim);
    findings.set(keyOf(finding), known);
  };
  for (const [index, { numbers }] of analysis.claims.entries()) for (const finding of numbers) add(finding, index + 1);
  for (const finding of analysis.numbers) add(finding);
  return [...findings.values()]
    .toSorted((a, b) => Number(b.finding.outcome === 'conflict') - Number(a.finding.outcome === 'conflict'))
    .map(({ finding, claims }, index) => ({ number: index + 1, anchor: `number-${index + 1}`, finding, claims: [...new Set(claims)] }));
}

export function numberedFinding(findings: readonly NumberedFinding[], finding: NumberFinding): NumberedFinding | undefined {
  return findings.find((other) => keyOf(other.finding) === keyOf(finding));
}

/* A claim's own findings may have ids of their own: what makes two of them one is what they say. */
function keyOf({ check, outcome, statement, arithmetic, places }: NumberFinding): string {
  return JSON.stringify([check, outcome, statement, arithmetic, places]);
}
