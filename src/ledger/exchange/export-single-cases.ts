import { readCompact, selectCompact, type WholeCase } from '../compact/read-compact.ts';
import type { Db } from '../database/database.ts';
import { readPages } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';

/* Cases that are a single row each, as the rows that they would be: whoever reads them in has the rows of cases. */

const pageSize = 500;

async function* readSingleCases(db: Db): AsyncGenerator<WholeCase> {
  const query = selectCompact(db).orderBy('listing.opened_at').orderBy('listing.id').limit(pageSize);
  const rows = readPages(query, (all, { opened_at, id }) =>
    all.where(({ eb, refTuple, tuple }) => eb(refTuple('listing.opened_at', 'listing.id'), '>', tuple(opened_at, id))),
  );
  for await (const row of rows) yield readCompact(row);
}

export async function* exportSingleSubjects(db: Db): AsyncGenerator<LedgerLine> {
  const written = new Set<string>();
  for await (const { subject } of readSingleCases(db)) {
    const { hash, version, content, excerpt, opened_at } = subject;
    if (written.has(hash)) continue;
    written.add(hash);
    yield {
      kind: 'subject',
      version,
      hash,
      content: fromStored('subject', version, content ?? 'null'),
      excerpt,
      attachments: [],
      openedAt: opened_at,
      forgottenAt: null,
    };
  }
}

export async function* exportSingleDebates(db: Db): AsyncGenerator<LedgerLine> {
  for await (const { debate } of readSingleCases(db))
    yield {
      kind: 'debate',
      version: debate.version,
      id: debate.id,
      job: debate.job,
      subject: debate.subject,
      configuration: debate.configuration,
      settings: fromStored('debate', debate.version, debate.settings),
      policy: debate.policy,
      run: debate.run,
      again: null,
      openedAt: debate.opened_at,
      forgottenAt: null,
    };
}

export async function* exportSingleVerdicts(db: Db): AsyncGenerator<LedgerLine> {
  for await (const { verdict } of readSingleCases(db)) {
    const { debate, version, label, score, probability, rule, modality, action, severity, answer, seal } = verdict;
    yield {
      kind: 'verdict',
      version,
      debate,
      label,
      score,
      probability,
      escalate: verdict.escalate === 1,
      rule,
      categories: JSON.parse(verdict.categories) as string[],
      degraded: verdict.degraded === 1,
      modality,
      ...(action ? { action } : {}),
      ...(severity ? { severity } : {}),
      answer: answer ? fromStored('verdict', version, answer) : null,
      seal,
      closedAt: verdict.closed_at,
    };
  }
}
