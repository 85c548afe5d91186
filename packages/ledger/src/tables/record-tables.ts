import type { Generated } from 'kysely';
import type { ForgettingName, RecordKindName } from '../records/record-kinds.ts';

/* The trees that show whether records were rewritten. */

/** One for each time that a record was written; never changed but for its place, and its salt, which is forgotten. */
export interface RecordLeaves {
  id: Generated<number>;
  version: number;
  /** The tree that it is in: the month in which it was written. */
  month: string;
  kind: RecordKindName | ForgettingName;
  record: string;
  part: string;
  /** Null when the content was forgotten. */
  salt: Uint8Array | null;
  commitment: Uint8Array;
  written_at: string;
  /** Null until it has its place in the tree. */
  position: number | null;
}

/** What must not be taken away; made from the audit log. */
export interface LegalHoldRows {
  id: string;
  version: number;
  /** Either this or the author is null. */
  case_id: string | null;
  author: string | null;
  reason: string;
  placed_by: string;
  placed_at: string;
  until: string | null;
  lifted_at: string | null;
  lifted_by: string | null;
  lifted_why: string | null;
}

export interface RecordTrees {
  month: string;
  size: number;
  /** The roots of its full subtrees as hexadecimal digits, in JSON. */
  peaks: string;
}

export interface Checkpoints {
  number: number;
  made_at: string;
  /** A DSSE envelope, byte for byte. */
  envelope: string;
  /** The answer of a time stamping authority (RFC 3161) about these bytes; null where there is none. */
  time_stamp: Uint8Array | null;
  /** Why there is none, although there is an authority. */
  time_stamp_problem: string | null;
}
