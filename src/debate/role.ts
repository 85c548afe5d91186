import type { z } from 'zod';
import type { Attachment, CaseFile } from './case-file.ts';
import type { Transcript } from './transcript.ts';

/** What a seat is asked: the case, what it may see of the debate so far, and where it stands in it. */
export interface Question {
  caseFile: CaseFile;
  transcript: Transcript;
  /** 1-based inside rounds, null outside. */
  round: number | null;
  seat: string;
  /** The previous answer was off: what was wrong with it, to be put right once. */
  correction?: Correction;
}

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

/** A part in a debate: its instructions, the schema of its answer, and what stands in when nobody answers. */
export interface Role<Answer = any> {
  id: string;
  /** The statement first and the score last, so that streams read well. */
  schema: z.ZodType<Answer>;
  /** The schema's name: equal names mean byte-equal schemas, which share a provider's prefix cache. */
  schemaName: string;
  /** The longest answer, in tokens: the worst case that budgets reserve. */
  maxOutputTokens: number;
  temperature?: number;
  prompt(question: Question): Prompt;
  read(answer: Answer): Reading;
  /** The visible stand-in when the reasoner failed: Aetheria's 0.5, or the seat's previous score. */
  fallback(question: Question): Answer;
}
