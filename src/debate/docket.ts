/** A case as it is opened: what is to be judged, before anything is asked or paid for. */
export interface OpenedCase {
  /** The debate's id. */
  id: string;
  /** Hash of everything that made the answer. */
  configuration: string;
  subject: {
    hash: string;
    /** What was judged, as JSON from which it can be judged again; bytes are attachments, named by their hash. */
    content: unknown;
    attachments?: readonly { hash: string; mediaType: string; data: Uint8Array }[];
  };
}

/** Who is told of a case before its debate starts, and of its answer: the ledger, at the edge. */
export interface CaseRecorder {
  openCase(entry: OpenedCase): Promise<void>;
  closeCase(answer: { id: string; job: string; seal: string }): Promise<void>;
}
