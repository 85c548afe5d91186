import type { Generated } from 'kysely';

/* What people decide, and where cases wait for them. */

/** Which cases reviewers find together, and how soon they should decide them. */
export interface QueueRows {
  id: string;
  version: number;
  position: number;
  name: string;
  rules: string;
  due_minutes: number | null;
  assignees: string;
  created_at: string;
}

export interface OverdueTold {
  case_id: string;
  due_at: string;
  told_at: string;
}

export interface ReviewLeaseRows {
  case_id: string;
  reviewer: string;
  until: number;
}

export interface DecisionRows {
  position: Generated<number>;
  id: string;
  version: number;
  case_id: string;
  label: 'safe' | 'unsafe';
  why: string | null;
  clause: string | null;
  /** What is to be done; null for what is older, and where nobody said. */
  action: string | null;
  decided_by: string;
  decided_at: string;
  learnt_at: string | null;
}

/** What people say the verdict on a claim should have been. */
export interface Corrections {
  position: Generated<number>;
  id: string;
  version: number;
  case_id: string;
  claim: string;
  text: string;
  verdict: string;
  label: string;
  why: string;
  decided_by: string;
  decided_at: string;
  /** Null while it stands, like the two below. */
  withdrawn_at: string | null;
  withdrawn_by: string | null;
  withdrawn_why: string | null;
  matter: string;
}

/** What people make of findings for a report, the last word on each. */
export interface FindingEditRows {
  case_id: string;
  finding: string;
  wording: string | null;
  note: string | null;
  /** 1 where it stays out of exports. */
  left_out: number;
  edited_by: string;
  edited_at: string;
}
