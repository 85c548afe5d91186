import type { Exchange } from '../../jobs/evaluation/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import { contentOf } from '../../retrials/index.ts';
import { contentOfInput, exchangeOfInput, runItemsIn, type RunReading } from '../input/index.ts';
import type { Cascade } from './cascade.ts';

/** Something whose right label is known. */
export interface LabelledSubject {
  /** Stands for what it says: the same twice is one item, and proves no more than one. */
  hash: string;
  subject: Content | Exchange;
  label: 'safe' | 'unsafe';
}

/** The items of a file that have a label and can be read. */
export async function* labelledIn(
  file: string,
  job: Cascade['job'],
  reading: RunReading = {},
): AsyncGenerator<LabelledSubject, void, void> {
  for await (const { hash, input, expected, error } of runItemsIn(file, job, reading)) {
    if (error || (expected !== 'safe' && expected !== 'unsafe')) continue;
    const subject = job === 'moderation' ? await contentOfInput(input, async () => undefined) : exchangeOfInput(input);
    yield { hash, subject, label: expected };
  }
}

/** What people said of the ledger's cases, as far as their content is still there. */
export async function* decidedIn(ledger: Ledger, job: Cascade['job']): AsyncGenerator<LabelledSubject, void, void> {
  for await (const decision of ledger.decisions.readStandingDecisions()) {
    const record = await ledger.cases.findCase(decision.case);
    if (!record || record.job !== job || record.content === null) continue;
    yield {
      hash: record.subject,
      subject: job === 'moderation' ? await contentOf(record, ledger) : (record.content as Exchange),
      label: decision.label,
    };
  }
}
