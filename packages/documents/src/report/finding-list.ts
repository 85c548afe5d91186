import type { Analysis } from '../analysis.ts';
import type { NumberFinding } from '../numbers/index.ts';
import { isSameFinding, listTouchedFindings, type TouchedFinding } from '../view.ts';

/** A number finding with its place on the page. */
export interface NumberedFinding extends TouchedFinding {
  number: number;
  anchor: string;
}

export function findingsOf(analysis: Analysis): NumberedFinding[] {
  return listTouchedFindings(analysis).map((touched, index) => ({
    ...touched,
    number: index + 1,
    anchor: `number-${index + 1}`,
  }));
}

export function numberedFinding(
  findings: readonly NumberedFinding[],
  finding: NumberFinding,
): NumberedFinding | undefined {
  return findings.find((other) => isSameFinding(other.finding, finding));
}
