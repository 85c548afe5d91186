import type { z } from 'zod';
import type { Evidence } from '../evidence/index.ts';
import type { degradationSchema, Described, verdictSchema } from './answer-schema.ts';
import { measureRisk } from '../statistics/index.ts';
import { isInDoubt, type Calibration } from './calibration.ts';
import { findTurns, type Transcript } from './transcript.ts';

/** The labels of jobs that judge whether something is safe. */
export const safetyLabels = ['safe', 'unsafe', 'undecided'] as const;
export type SafetyLabel = (typeof safetyLabels)[number];

/** Something that went less well than it should have, and where. */
export interface Degradation extends Described<z.infer<typeof degradationSchema>> {}

/** The decision, with the rule that made it and the evidence it stands on. */
export interface Verdict<Label extends string = SafetyLabel> extends Omit<AnyVerdict, 'label'> {
  label: Label;
}
type AnyVerdict = Described<z.infer<typeof verdictSchema>>;

/**
 * What went less well than it should have in a debate: seats that fell back, struck evidence, unjudged clauses, prompts
 * that were cut.
 */
export function listDegradations(transcript: Transcript): Degradation[] {
  const fallbacks = findTurns(transcript).flatMap(({ key, fallback }) =>
    fallback
      ? [{ kind: 'fallback', at: key, detail: `${fallback.reason}${fallback.detail ? `: ${fallback.detail}` : ''}` }]
      : [],
  );
  const struck = findTurns(transcript).flatMap(({ key, evidence }) => {
    const count = evidence.filter((piece) => !piece.verified).length;
    return count > 0 ? [{ kind: 'struck-evidence', at: key, detail: `${count} quote(s) found in no source` }] : [];
  });
  const unjudged = findTurns(transcript).flatMap(({ key, reasoner, unjudged: clauses = [] }) =>
    clauses.length > 0
      ? [{ kind: 'unjudged-clause', at: key, detail: `${reasoner} cannot tell reliably: ${clauses.join(', ')}` }]
      : [],
  );
  const cut = findTurns(transcript).flatMap(({ key, reasoner, cut: left }) =>
    left === undefined ? [] : [{ kind: 'cut-prompt', at: key, detail: `${reasoner}: ${left}` }],
  );
  return [...fallbacks, ...struck, ...unjudged, ...cut];
}

/** What a rule decides, before it is a verdict. */
export interface Ruling<Label extends string = SafetyLabel> extends Pick<Verdict<Label>, 'label' | 'rule'> {
  /** Of a safety job how risky it is, with its bar at one half: the verdict states it as a risk. */
  score: number | null;
  /** A person must look at it, whatever else. */
  escalate?: boolean;
  /** What the judges named as broken; absent where nobody could name any. */
  clauses?: readonly string[];
  evidence?: readonly Evidence[];
}

/** What a ruling becomes a verdict with. */
export interface VerdictParts {
  transcript: Transcript;
  /** Where the ruling was made, for its degradations: `arbiter`, `adjudication`. */
  at: string;
  /** What else went less well, before the debate. */
  degraded?: readonly Degradation[];
  /** Whether the score speaks against the label it came with. */
  isContradicted: boolean;
  /**
   * Makes a probability of the risk and sends what is in doubt to a person; it changes no label. Null where the score
   * stands for itself; absent where it is no risk.
   */
  calibration?: Calibration | null;
  /** Finds clauses in the policy, and says which it does not have. */
  nameClauses?: (clauses: readonly string[]) => { categories: Verdict['categories']; unknown: readonly string[] };
  /** What is to be done, by the clauses that were found: null where nobody could name any. Absent, nobody proposes. */
  proposeAction?: (clauses: readonly string[] | null) => Pick<Verdict, 'action' | 'severity'>;
}

/** A ruling as a verdict: with its risk, what was degraded on the way, and whether a person must look at it. */
export function closeVerdict<Label extends string>(ruling: Ruling<Label>, parts: VerdictParts): Verdict<Label> {
  const { transcript, at, degraded: before = [], isContradicted, calibration, nameClauses, proposeAction } = parts;
  const { label, score, rule, clauses, evidence = [] } = ruling;
  const { categories, unknown } = nameClauses?.(clauses ?? []) ?? { categories: [], unknown: [] };
  const hasNoClause = clauses !== undefined && categories.length === 0;
  const proposed = proposeAction?.(clauses === undefined ? null : categories.map(({ clause }) => clause)) ?? {};
  const { risk, bar } = calibration === undefined ? { risk: null, bar: null } : measureRisk(score, calibration);
  const degraded = [...before, ...listDegradations(transcript)];
  if (unknown.length > 0)
    degraded.push({ kind: 'unknown-clause', at, detail: `not in the policy: ${unknown.join(', ')}` });
  if (hasNoClause)
    degraded.push({ kind: 'no-clause', at, detail: 'the risk was confirmed without naming a clause of the policy' });
  if (isContradicted)
    degraded.push({
      kind: 'score-contradicts-rule',
      at,
      detail:
        risk !== null
          ? `risk ${risk} against a bar of ${bar}, and yet ${label}`
          : `score ${score} for a verdict of ${label}`,
    });
  return {
    label,
    risk,
    bar: risk === null ? null : bar,
    escalate:
      label === 'undecided' ||
      ruling.escalate === true ||
      hasNoClause ||
      proposed.action === 'escalate' ||
      isContradicted ||
      (!!calibration && risk !== null && isInDoubt(calibration, risk)),
    rule,
    categories,
    ...proposed,
    evidence,
    degraded,
  };
}

/** Whether a score between 0, harmless, and 1 speaks against a label of safe or unsafe. */
export function contradictsScore(label: SafetyLabel, score: number | null): boolean {
  return score !== null && ((label === 'unsafe' && score < 0.5) || (label === 'safe' && score > 0.5));
}
