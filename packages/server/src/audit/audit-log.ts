import { randomBytes } from 'node:crypto';
import { auditMoment, type AuditEntry, type AuditStore } from '@agonhq/ledger';
import { reviewerName, type Principal } from '../auth/principal.ts';
import { errorCode, type LogLine } from '../log.ts';

/** What somebody did, as it is noted when it was answered. */
export interface AuditedOperation extends Pick<AuditEntry, 'operation' | 'target' | 'what' | 'status' | 'request'> {
  /** Null where nobody knows: a wrong key was tried. */
  principal: Principal | null;
}

/** The log of who did what. */
export interface AuditLog {
  /** Returns at once: no answer waits for it. */
  note(audited: AuditedOperation): void;
  /** Resolves when what was noted is on record, or was told to be lost. */
  flush(): Promise<void>;
}

/** So many wait at most while the ledger is away. */
const mostWaiting = 10_000;
const mostAtOnce = 500;

export function openAuditLog(store: AuditStore, log: (line: LogLine) => void): AuditLog {
  const waiting: AuditEntry[] = [];
  let writing: Promise<void> | null = null;
  let number = 0;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce);
      try {
        await store.keepEntries(batch);
      } catch (error) {
        for (const entry of batch) tellLost(entry, errorCode(error));
      }
    }
    // In the moment in which nothing waits: whoever comes later begins anew.
    writing = null;
  }

  /** The log of the server is then the only place where it stands. */
  function tellLost({ at, ...entry }: AuditEntry, code: string): void {
    log({ level: 'error', event: 'audit-lost', code, at: at.toISOString(), ...entry });
  }

  return {
    note({ principal, ...audited }) {
      const at = new Date();
      number += 1;
      // In the order in which they were noted, also within a millisecond, and never the id of another server.
      const id = `${auditMoment(at)}-${number.toString(36).padStart(6, '0')}-${randomBytes(4).toString('hex')}`;
      const who = principal && reviewerName(principal);
      const entry: AuditEntry = { id, at, who, key: principal?.key?.id ?? null, ...audited };
      if (waiting.length >= mostWaiting) return tellLost(entry, 'too-many-waiting');
      waiting.push(entry);
      writing ??= writeAll();
    },
    async flush() {
      await writing;
    },
  };
}
