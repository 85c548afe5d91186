/* What is watched. */

export interface WatchRules {
  id: string;
  version: number;
  rule: string;
  created_by: string | null;
  created_at: string;
  checked_at: string | null;
}

export interface Alerts {
  id: string;
  version: number;
  rule: string;
  /** Of the group that it is about; empty for all cases. */
  value: string;
  finding: string;
  raised_at: string;
  /** When receivers were told that it was raised, and that it ended. */
  told_at: string | null;
  /** Null while it stands. */
  ended_at: string | null;
  ended_told_at: string | null;
  acknowledged_by: string | null;
  acknowledged_at: string | null;
  note: string | null;
}

export interface Shadows {
  id: string;
  version: number;
  candidate: string;
  created_by: string | null;
  started_at: string;
  /** Null while it judges. */
  ended_at: string | null;
  why: string | null;
  dropped: number;
  failed: number;
  spent_usd: number;
}

export interface ShadowPairs {
  shadow: string;
  case_id: string;
  shadow_case: string;
  judged_at: string;
}
