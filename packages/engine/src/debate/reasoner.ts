import { AgonError } from '../agon-error.ts';
import type { Sensitivity } from '../policy/sensitivity.ts';
import type { Calibration } from './calibration.ts';
import type { CaseFile } from './case-file.ts';
import type { ModelCall } from './model-call.ts';
import type { Question, Role } from './role.ts';
import type { Usage } from './answer.ts';

/** Why a reasoner gave no usable answer. */
export type FailureReason =
  | 'unsupported-language'
  | 'refused'
  | 'content-filter'
  | 'malformed'
  | 'truncated'
  | 'timeout'
  | 'unavailable'
  | 'budget';

interface Outcome {
  usage: Usage;
  latencyMs: number;
  /** Who answered in the end (`openai:gpt-4o`), a fallback model included. */
  model: string;
  /** The answer as it came, before it was parsed. */
  raw: string;
  /** Repairs, retries and fallback models it took, in words. */
  notes?: readonly string[];
  /** Ids of the policy's clauses that it cannot judge well enough. */
  unjudged?: readonly string[];
  /** What was left out of the prompt, in words; absent where the model saw all of it. */
  cut?: string;
  /** What was sent for it and what came back, for the record. */
  calls?: readonly ModelCall[];
}

/** An answer in the role's schema. */
export interface Answered<Answer> extends Outcome {
  outcome: 'answered';
  value: Answer;
}

/** No answer, and why. */
export interface Failed extends Outcome {
  outcome: 'failed';
  reason: FailureReason;
  detail: string;
}

/** How an answer is asked for. */
export interface AnswerOptions {
  signal: AbortSignal;
  /** Called with each new piece of the statement; a reasoner that cannot stream never calls it. */
  onDelta?: (delta: string) => void;
}

/**
 * What fills a seat. A failure of the provider is a `failed` outcome, which the debate survives;
 * a mistake of the user's (a wrong key, an unknown model) is thrown as an AgonError.
 */
export interface Reasoner {
  /** `openai:gpt-4o-mini`, `embedded:guard-2`. */
  id: string;
  /** Everything besides the question that may change the answer: part of an entry's input hash. */
  fingerprint: string;
  vision: boolean;
  /** It puts placeholders for personal data before it asks: whom the case names is part of what it sends. */
  masks?: boolean;
  /** It could look at images, and the settings keep them from it. */
  withholdsImages?: boolean;
  /** Names the very files of a model that runs in this process: another one of the same name has another. */
  digest?: string;
  /** By job, how its score as a judge becomes a probability, when that was fitted with the reasoner itself. */
  calibrations?: Readonly<Record<string, Calibration>>;
  /** How soon it calls something unsafe, where it can be told to; absent where its bar is one half. */
  sensitivity?: Sensitivity;
  answer<Answer, Case extends CaseFile>(
    role: Role<Answer, Case>,
    question: Question<Case>,
    options: AnswerOptions,
  ): Promise<Answered<Answer> | Failed>;
}

/** A role with the reasoner that fills it. One role may have several seats (`auditor#1`, `auditor#2`). */
export interface Seat<Case extends CaseFile = CaseFile> {
  id: string;
  role: Role<unknown, Case>;
  reasoner: Reasoner;
}

/** By id, the digests of the reasoners that have one, as a provenance carries them; nothing where none has. */
export function listDigests(reasoners: Iterable<Reasoner>): { digests?: Record<string, string> } {
  const known = [...reasoners].flatMap(({ id, digest }) => (digest === undefined ? [] : [[id, digest] as const]));
  return known.length > 0 ? { digests: Object.fromEntries(known) } : {};
}

/** Refuses a seat that nobody fills, before anything is asked. */
export function requireReasoner(seat: string, reasoner: Reasoner | null | undefined): Reasoner {
  if (reasoner) return reasoner;
  throw new AgonError('no-reasoner', `No model is set for the seat ${seat}.`, {
    library: `Name one: seats.${seat}.`,
    cli: `Name one: --seat ${seat}=provider:model, or seats.${seat} in agon.config.yaml.`,
    api: `Name one in the settings of the server: seats.${seat}.`,
  });
}
