/** One thing that a build is told: an item that was judged, or a threshold. */
export interface CiCheck {
  /** What it belongs to: a file, or a system on a set of data. */
  suite: string;
  /** What was checked: `item b`, `f1 ≥ 0.85`. */
  name: string;
  /**
   * `failed` breaks the build, `broken` could not be checked, `undecided` is left to a person, `noted` is worth a look
   * and nothing more.
   */
  outcome: 'passed' | 'failed' | 'broken' | 'undecided' | 'noted';
  /** What came of it, as a headline, and in a sentence; empty for what passed without a word. */
  title: string;
  message: string;
  /** What it is an instance of, the same from build to build. */
  rule: CheckRule;
  /** Where a reader finds what was checked; null where there is no such file. */
  place: CheckPlace | null;
  /** The case on record. */
  case?: string;
}

export interface CheckRule {
  /** `hate.slurs`, `threshold`. */
  id: string;
  description: string;
}

interface CheckPlace {
  /** As it was given. */
  file: string;
  line: number;
}

/** What is wrong with something, from the worst to the least. */
export const findings = ['failed', 'broken', 'undecided', 'noted'] as const;

/** Text in which nothing ends a line, hides, or reorders what is around it. */
export function flatten(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{fffe}\u{ffff}]/gu, ' ');
}
