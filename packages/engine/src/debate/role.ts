import type { Attachment, CaseFile } from './case-file.ts';
import type { Fence } from './lay-out-prompt.ts';
import type { RoleKey, Transcript } from './transcript.ts';

/** What a seat is asked: the case, what it may see of the debate so far, and where it stands in it. */
export interface Question<Case extends CaseFile = CaseFile> {
  caseFile: Case;
  transcript: Transcript;
  /** 1-based inside rounds, null outside. */
  round: number | null;
  seat: string;
  /** Sets apart what is judged, and what was said about it. */
  fence: Fence;
  /** The previous answer was off: what was wrong with it, to be put right once. */
  correction?: Correction;
}

/** What was wrong with an answer, for the second attempt. */
export interface Correction {
  answer: unknown;
  problem: string;
}

/**
 * A question as words, laid out for prefix caches: `instructions` and `caseFile` are byte-identical for every
 * seat that shares a model, the transcript grows behind them, and the role's own `task` comes last.
 */
export interface Prompt {
  instructions: string;
  caseFile: string;
  transcript: string;
  task: string;
  attachments?: readonly Attachment[];
}

/** What the engine needs to know of any answer, whatever its schema. */
export interface Reading {
  statement: string;
  score: number | null;
  quotes: readonly string[];
}

/**
 * A part in a debate: its words, the schema of its answer, and what stands in when nobody answers. In the schema the
 * statement comes first and the score last, so that streams read well.
 */
export interface Role<Answer = unknown, Case extends CaseFile = CaseFile> extends RoleKey<Answer> {
  /** The schema's name: equal names mean byte-equal schemas, which share a provider's prefix cache. */
  schemaName: string;
  /** The longest answer, in tokens: the worst case that budgets reserve. */
  maxOutputTokens: number;
  temperature?: number;
  prompt: (question: Question<Case>) => Prompt;
  // A method, not a property: so a seat may hold a role without saying what it answers.
  read(answer: Answer): Reading;
  /** The visible stand-in when the reasoner failed: Aetheria's 0.5, or the seat's previous score. */
  fallback: (question: Question<Case>) => Answer;
}

/** A role as far as its answers are read. */
export type RoleReader<Answer = unknown> = Pick<Role<Answer, never>, 'id' | 'atSeat' | 'schema' | 'read'>;

const prompts = new WeakMap<object, WeakMap<object, Prompt>>();

/**
 * A role's words for a question. The hash of a turn's input and whoever answers need the same ones: they are laid out
 * once.
 */
export function promptFor<Answer, Case extends CaseFile>(role: Role<Answer, Case>, question: Question<Case>): Prompt {
  let ofQuestion = prompts.get(question);
  if (!ofQuestion) prompts.set(question, (ofQuestion = new WeakMap()));
  let prompt = ofQuestion.get(role);
  if (!prompt) ofQuestion.set(role, (prompt = role.prompt(question)));
  return prompt;
}
