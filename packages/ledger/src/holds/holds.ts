/** What must not be taken away: a case, or all that is and will be on record of an author. */
export interface LegalHold {
  id: string;
  /** One of the two. */
  case: string | null;
  author: string | null;
  reason: string;
  by: string;
  at: Date;
  /** When it ends by itself; null for never. */
  until: Date | null;
  /** Null while nobody has lifted it. */
  lifted: { by: string; at: Date; why: string } | null;
}

export interface NewHold {
  case?: string | undefined;
  author?: string | undefined;
  reason: string;
  until?: Date | null | undefined;
}

/** Who does it, as the audit log tells it. */
export interface HoldActor {
  by: string;
  /** The id of their key; null on the machine itself. */
  key?: string | null;
  request?: string;
}

export interface HoldFilter {
  author?: string;
  /** Only those that hold something at this moment. */
  inForce?: boolean;
}

/** Legal holds. Each is a line of the audit log, in whose tree it stands; the table is what these lines come to. */
export interface LegalHolds {
  placeHold(hold: NewHold, actor: HoldActor): Promise<LegalHold>;
  liftHold(id: string, why: string, actor: HoldActor): Promise<LegalHold>;
  /** The newest first. */
  listHolds(filter?: HoldFilter): Promise<readonly LegalHold[]>;
  /** Those in force that cover a case: its own, those of cases about the same content, those of its author. */
  findHoldsOn(caseId: string): Promise<readonly LegalHold[]>;
}
