import type { CaseSummary } from './cases.ts';
import type { Db } from './database.ts';

/** The rows behind summaries of cases. */
export function summaryQuery(db: Db) {
  return db
    .selectFrom('debates')
    .innerJoin('subjects', 'subjects.hash', 'debates.subject')
    .leftJoin('verdicts', 'verdicts.debate', 'debates.id')
    .select([
      'debates.id', 'debates.job', 'debates.subject', 'debates.configuration', 'debates.run', 'debates.again_of', 'debates.again_how', 'debates.opened_at',
      'debates.forgotten_at', 'verdicts.closed_at', 'verdicts.label', 'verdicts.score', 'verdicts.probability', 'verdicts.escalate', 'verdicts.rule',
      'verdicts.categories', 'verdicts.degraded', 'verdicts.modality', 'verdicts.seal', 'subjects.excerpt',
    ]);
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof summaryQuery>['executeTakeFirstOrThrow']>>;

export function summaryOf(row: SummaryRow): CaseSummary {
  return {
    id: row.id,
    job: row.job,
    subject: row.subject,
    configuration: row.configuration,
    run: row.run,
    again: row.again_of === null ? null : { of: row.again_of, how: row.again_how! },
    openedAt: new Date(row.opened_at),
    closedAt: row.closed_at === null ? null : new Date(row.closed_at),
    label: row.label,
    score: row.score,
    probability: row.probability,
    escalate: row.escalate === 1,
    rule: row.rule,
    categories: row.categories === null ? [] : (JSON.parse(row.categories) as string[]),
    degraded: row.degraded === 1,
    modality: row.modality,
    confidence: null,
    disagreement: null,
    models: [],
    excerpt: row.forgotten_at === null ? row.excerpt : null,
    seal: row.seal,
    forgottenAt: row.forgotten_at === null ? null : new Date(row.forgotten_at),
  };
}
