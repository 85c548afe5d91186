import { requireJob } from '../../jobs/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { runItemsIn, type RunReading } from '../input/index.ts';

/** Something whose right label is known. */
export interface LabelledSubject {
  /** Stands for what it says: the same twice is one item, and proves no more than one. */
  hash: string;
  subject: unknown;
  label: 'safe' | 'unsafe';
}

const noFiles = { find: async () => undefined, local: true };

/** The items of a file that have a label and can be read. */
export async function* labelledIn(
  file: string,
  job: string,
  reading: RunReading = {},
): AsyncGenerator<LabelledSubject, void, void> {
  for await (const { hash, input, expected, error } of runItemsIn(file, job, reading)) {
    if (error || (expected !== 'safe' && expected !== 'unsafe')) continue;
    const opened = await requireJob(job).items.openItem(input, noFiles, { evaluatedModel: null });
    yield { hash, subject: opened.input, label: expected };
  }
}

/** What people said of the ledger's cases, as far as their content is still there. */
export async function* decidedIn(ledger: Ledger, job: string): AsyncGenerator<LabelledSubject, void, void> {
  const files = { find: (hash: string) => ledger.attachments.findAttachment(hash), local: false };
  for await (const decision of ledger.decisions.readStandingDecisions()) {
    const record = await ledger.cases.findCase(decision.case);
    if (!record || record.job !== job || record.content === null) continue;
    yield {
      hash: record.subject,
      subject: (await requireJob(job).restore(record.content, files)).input,
      label: decision.label,
    };
  }
}
