import type { SafetyLabel, Verdict } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { GuardChoices } from './guard-options.ts';

/** What was said of a prompt, or of a stretch of an answer. */
export interface GuardVerdict {
  of: 'prompt' | 'answer';
  label: SafetyLabel;
  /** Whether it is acted on: it is unsafe, or was not decided and the options block that. */
  hit: boolean;
  /** The embedded guard has doubts: what a debate is asked about, where there is one. */
  unsure: boolean;
  risk: number | null;
  bar: number | null;
  /** The case's id; it can be looked up where the settings keep a ledger. */
  case: string | null;
  clauses: readonly string[];
  why: string;
  quotes: readonly string[];
  by: 'embedded' | 'debate';
  /** Told by a debate after the answer had left. */
  inBackground: boolean;
  /** Which characters of the answer are new in it; null for a prompt. */
  range: { start: number; end: number } | null;
  ms: number;
  /** Why it could not be judged, or not debated. */
  error: { code: string; message: string } | null;
}

/** What became of one guarded call. */
export interface GuardReport {
  done: 'passed' | 'stopped' | 'replaced' | 'marked' | 'reported' | 'aborted';
  hit: GuardVerdict | null;
  verdicts: readonly GuardVerdict[];
  /** What was not judged: `image-url`, `tool-result`, `system` … */
  skipped: readonly string[];
  latency: {
    /** How long the prompt's verdict took. */
    promptMs: number | null;
    /** How much later the first text left than it would have without the guard. */
    firstTextMs: number | null;
    /** How long the answer's verdicts took together. */
    answerMs: number;
  };
}

/** What became of a call, by what is done on a hit. */
export function sayDone({ onHit }: Pick<GuardChoices, 'onHit'>, hit: unknown): GuardReport['done'] {
  if (!hit) return 'passed';
  return ({ stop: 'stopped', replace: 'replaced', mark: 'marked', report: 'reported' } as const)[onHit];
}

/** The verdict as it travels to clients: without reasons and quotes, which would tell what was held back. */
export function summarizeVerdict({ of, label, risk, bar, case: id, clauses, by, error }: GuardVerdict) {
  return { of, label, risk, bar, case: id, clauses: [...clauses], by, ...(error ? { error: error.code } : {}) };
}

export function isHit(
  { label, error }: Pick<GuardVerdict, 'label' | 'error'>,
  { onUndecided, onError }: Pick<GuardChoices, 'onUndecided' | 'onError'>,
): boolean {
  if (label === 'unsafe') return true;
  if (error) return onError === 'block';
  return label === 'undecided' && onUndecided === 'block';
}

/** The parts of a verdict that come from an answer of Agon's. */
export function fromAnswer({ id, verdict }: { id: string; verdict: Verdict }) {
  return {
    label: verdict.label,
    // As a cascade has it: in its band of doubt, undecided or degraded the guard decides nothing alone.
    unsure: verdict.escalate || verdict.degraded.length > 0,
    risk: verdict.risk,
    bar: verdict.bar,
    case: id,
    clauses: verdict.categories.map(({ clause }) => clause),
    why: verdict.rule.why,
    quotes: verdict.evidence.flatMap(({ quote, verified }) => (verified ? [quote] : [])),
    error: null,
  };
}

/** What stands in for a verdict where the guard itself failed. */
export function fromError(error: unknown) {
  const known = AgonError.is(error) ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  return {
    label: 'undecided' as const,
    unsure: true,
    risk: null,
    bar: null,
    case: null,
    clauses: [],
    why: `It was not judged: ${message}`,
    quotes: [],
    error: { code: known?.code ?? 'guard-failed', message },
  };
}
