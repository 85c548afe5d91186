import { exportAnnotations } from '../annotation/annotation-lines.ts';
import { decodeKey } from '../benches/bench-store.ts';
import { expandText } from '../calls/pack-call.ts';
import type { Database, Db } from '../database/database.ts';
import { readPages } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { readCorrection } from '../reviews/correction-store.ts';
import { exportAudit } from '../server/audit-store.ts';
import { readEdit } from '../reviews/finding-edit-store.ts';
import { readItemError, readItemResult } from '../runs/run-rows.ts';
import { exportSingleDebates, exportSingleSubjects, exportSingleVerdicts } from './export-single-cases.ts';

const pageSize = 500;
/** A document may have a hundred megabytes, and the sheets of a bench hold all its items. */
const largeRowsAtOnce = 1;

/** Every row at one moment, in an order in which nothing refers to what is yet to come. */
export async function* exportLines(database: Database): AsyncGenerator<LedgerLine> {
  await using moment = await database.snapshot();
  yield { kind: 'ledger', version: 1 };
  for (const lines of sections) yield* lines(moment.db);
}

/* A member that older exports lack is written only where there is something to say: their lines stay as they were. */
const sections: readonly ((db: Db) => AsyncGenerator<LedgerLine>)[] = [
  async function* policies(db) {
    const rows = readPages(db.selectFrom('policies').selectAll().orderBy('hash').limit(pageSize), (query, { hash }) =>
      query.where('hash', '>', hash),
    );
    for await (const { hash, version, name, policy_version, document, kept_at } of rows)
      yield {
        kind: 'policy',
        version,
        hash,
        name,
        policyVersion: policy_version,
        document: fromStored('policy', version, document),
        ...(kept_at === null ? {} : { keptAt: kept_at }),
      };
  },
  // Before the cases: where each belongs is found out as it is read in.
  async function* queues(db) {
    const rows = await db.selectFrom('queues').selectAll().orderBy('position').orderBy('id').execute();
    for (const { id, version, position, name, rules, due_minutes, assignees, created_at } of rows)
      yield {
        kind: 'queue',
        version,
        id,
        position,
        name,
        rules: fromStored('queue', version, rules),
        dueMinutes: due_minutes,
        assignees: JSON.parse(assignees) as string[],
        createdAt: created_at,
      };
  },
  async function* attachments(db) {
    const query = db.selectFrom('attachments').selectAll().orderBy('hash').limit(largeRowsAtOnce);
    const rows = readPages(query, (all, { hash }) => all.where('hash', '>', hash));
    for await (const { hash, media_type, data } of rows)
      yield {
        kind: 'attachment',
        version: 1,
        hash,
        mediaType: media_type,
        data: Buffer.from(data).toString('base64'),
      };
  },
  async function* subjects(db) {
    const rows = readPages(db.selectFrom('subjects').selectAll().orderBy('hash').limit(pageSize), (query, { hash }) =>
      query.where('hash', '>', hash),
    );
    for await (const { hash, version, content, excerpt, opened_at, forgotten_at } of rows) {
      const attached = await db
        .selectFrom('subject_attachments')
        .select('attachment')
        .where('subject', '=', hash)
        .orderBy('position')
        .execute();
      yield {
        kind: 'subject',
        version,
        hash,
        content: content === null ? null : fromStored('subject', version, content),
        excerpt,
        attachments: attached.map(({ attachment }) => attachment),
        openedAt: opened_at,
        forgottenAt: forgotten_at,
      };
    }
    yield* exportSingleSubjects(db);
  },
  async function* runs(db) {
    const rows = readPages(db.selectFrom('runs').selectAll().orderBy('id').limit(pageSize), (query, { id }) =>
      query.where('id', '>', id),
    );
    for await (const { version, settings, problem, total, started_at, ended_at, ...run } of rows)
      yield {
        kind: 'run',
        version,
        id: run.id,
        name: run.name,
        job: run.job,
        configuration: run.configuration,
        settings: fromStored('run', version, settings),
        input: run.input,
        state: run.state,
        ...(problem === null ? {} : { problem }),
        ...(total === null ? {} : { total }),
        startedAt: started_at,
        endedAt: ended_at,
      };
  },
  async function* runItems(db) {
    const query = db.selectFrom('run_items').selectAll().orderBy('run').orderBy('position').limit(pageSize);
    const rows = readPages(query, (all, { run, position }) =>
      all.where(({ eb, refTuple, tuple }) => eb(refTuple('run', 'position'), '>', tuple(run, position))),
    );
    for await (const row of rows) {
      const { run, position, version, key, hash, input, expected, state, same_as, attempts, error, ended_at } = row;
      yield {
        kind: 'run-item',
        version,
        run,
        position,
        key,
        hash,
        input: input === null ? null : fromStored('run-item', version, input),
        expected,
        // Who has it in hand here has nothing in hand where the export is read.
        state: state === 'running' ? 'waiting' : state,
        sameAs: same_as,
        attempts,
        result: readItemResult(row),
        error: error === null ? null : readItemError(error),
        endedAt: ended_at,
      };
    }
  },
  async function* debates(db) {
    const query = db
      .selectFrom('debates')
      .leftJoin('contexts', 'contexts.debate', 'debates.id')
      .selectAll('debates')
      .select(['contexts.context', 'contexts.version as context_version'])
      .orderBy('debates.opened_at')
      .orderBy('debates.id')
      .limit(pageSize);
    const rows = readPages(query, (all, { opened_at, id }) =>
      all.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('debates.opened_at', 'debates.id'), '>', tuple(opened_at, id)),
      ),
    );
    for await (const { version, settings, again_of, again_how, opened_at, forgotten_at, problem, ...debate } of rows)
      yield {
        kind: 'debate',
        version,
        id: debate.id,
        job: debate.job,
        subject: debate.subject,
        configuration: debate.configuration,
        settings: fromStored('debate', version, settings),
        policy: debate.policy,
        run: debate.run,
        again: again_of === null ? null : { of: again_of, how: again_how },
        openedAt: opened_at,
        forgottenAt: forgotten_at,
        ...(debate.context === null
          ? {}
          : { context: fromStored('context', debate.context_version ?? 1, debate.context) }),
        ...(problem === null ? {} : { problem: fromStored('debate', version, problem) }),
      };
    yield* exportSingleDebates(db);
  },
  async function* callTexts(db) {
    const query = db.selectFrom('call_texts').selectAll().orderBy('hash').limit(pageSize);
    const rows = readPages(query, (all, { hash }) => all.where('hash', '>', hash));
    for await (const { hash, data } of rows)
      yield { kind: 'call-text', version: 1, hash, text: expandText(data, hash) };
  },
  async function* calls(db) {
    const query = db
      .selectFrom('calls')
      .selectAll()
      .orderBy('debate')
      .orderBy('key')
      .orderBy('input_hash')
      .orderBy('position')
      .limit(pageSize);
    const rows = readPages(query, (all, { debate, key, input_hash, position }) =>
      all.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('debate', 'key', 'input_hash', 'position'), '>', tuple(debate, key, input_hash, position)),
      ),
    );
    for await (const { debate, key, input_hash, position, version, call, kept_at } of rows)
      yield {
        kind: 'call',
        version,
        debate,
        key,
        inputHash: input_hash,
        position,
        call: fromStored('call', version, call),
        keptAt: kept_at,
      };
  },
  async function* entries(db) {
    const query = db.selectFrom('entries').selectAll().orderBy('debate').orderBy('id').limit(pageSize);
    const rows = readPages(query, (all, { debate, id }) =>
      all.where(({ eb, refTuple, tuple }) => eb(refTuple('debate', 'id'), '>', tuple(debate, id))),
    );
    for await (const { debate, version, entry, created_at } of rows)
      yield { kind: 'entry', version, debate, entry: fromStored('entry', version, entry), createdAt: created_at };
  },
  async function* verdicts(db) {
    const query = db
      .selectFrom('verdicts')
      .innerJoin('debates', 'debates.id', 'verdicts.debate')
      .innerJoin('listing', (join) =>
        join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
      )
      .selectAll('verdicts')
      .select([
        'listing.confidence',
        'listing.disagreement',
        'listing.models',
        'listing.clauses',
        'listing.cost_usd',
        'listing.latency_ms',
        'listing.sampled',
      ])
      .orderBy('debate')
      .limit(pageSize);
    const rows = readPages(query, (all, { debate }) => all.where('debate', '>', debate));
    for await (const { version, answer, ...verdict } of rows) {
      const { confidence, disagreement, models, clauses, cost_usd, latency_ms, sampled } = verdict;
      yield {
        kind: 'verdict',
        version,
        debate: verdict.debate,
        label: verdict.label,
        score: verdict.score,
        probability: verdict.probability,
        escalate: verdict.escalate === 1,
        rule: verdict.rule,
        categories: JSON.parse(verdict.categories) as string[],
        degraded: verdict.degraded === 1,
        modality: verdict.modality,
        ...(verdict.action === null ? {} : { action: verdict.action }),
        ...(verdict.severity === null ? {} : { severity: verdict.severity }),
        answer: answer === null ? null : fromStored('verdict', version, answer),
        seal: verdict.seal,
        closedAt: verdict.closed_at,
        ...(sampled === 1 ? { sampled: true } : {}),
        // Where there is an answer, they are read from it.
        ...(answer === null && (confidence !== null || disagreement !== null || models !== '[]' || clauses !== '[]')
          ? {
              marks: {
                confidence,
                disagreement,
                models: JSON.parse(models) as string[],
                ...(clauses === '[]' ? {} : { clauses: JSON.parse(clauses) as string[] }),
                ...(cost_usd === null ? {} : { costUsd: cost_usd }),
                ...(latency_ms === null ? {} : { latencyMs: latency_ms }),
              },
            }
          : {}),
      };
    }
  },
  exportSingleVerdicts,
  async function* decisions(db) {
    const query = db.selectFrom('decisions').selectAll().orderBy('position').limit(pageSize);
    const rows = readPages(query, (all, { position }) => all.where('position', '>', position));
    for await (const { id, version, case_id, label, why, clause, action, decided_by, decided_at, learnt_at } of rows)
      yield {
        kind: 'decision',
        version,
        id,
        case: case_id,
        label,
        why,
        clause,
        ...(action === null ? {} : { action }),
        by: decided_by,
        at: decided_at,
        learntAt: learnt_at,
      };
  },
  async function* assignments(db) {
    const query = db
      .selectFrom('listing')
      .select(['opened_at', 'id', 'assigned'])
      .where('assigned', 'is not', null)
      .orderBy('opened_at')
      .orderBy('id')
      .limit(pageSize);
    const rows = readPages(query, (all, { opened_at, id }) =>
      all.where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '>', tuple(opened_at, id))),
    );
    for await (const { id, assigned } of rows) yield { kind: 'assignment', version: 1, case: id, to: assigned };
  },
  async function* corrections(db) {
    const query = db.selectFrom('corrections').selectAll().orderBy('position').limit(pageSize);
    const rows = readPages(query, (all, { position }) => all.where('position', '>', position));
    for await (const row of rows) {
      const { at, withdrawn, ...correction } = readCorrection(row);
      yield {
        kind: 'correction',
        version: row.version,
        ...correction,
        at: at.toISOString(),
        withdrawn: withdrawn && { ...withdrawn, at: withdrawn.at.toISOString() },
      };
    }
  },
  async function* findingEdits(db) {
    const query = db.selectFrom('finding_edits').selectAll().orderBy('case_id').orderBy('finding').limit(pageSize);
    const rows = readPages(query, (all, { case_id, finding }) =>
      all.where(({ eb, or, and }) =>
        or([eb('case_id', '>', case_id), and([eb('case_id', '=', case_id), eb('finding', '>', finding)])]),
      ),
    );
    for await (const row of rows) {
      const { at, ...edit } = readEdit(row);
      yield { kind: 'finding-edit', version: 1, ...edit, at: at.toISOString() };
    }
  },
  async function* precedents(db) {
    const query = db.selectFrom('precedents').select(['id', 'version', 'precedent']).orderBy('id').limit(pageSize);
    const rows = readPages(query, (all, { id }) => all.where('id', '>', id));
    for await (const { version, precedent } of rows)
      yield { kind: 'precedent', version, precedent: fromStored('precedent', version, precedent) };
  },
  async function* cache(db) {
    const rows = readPages(db.selectFrom('cache').selectAll().orderBy('key').limit(pageSize), (query, { key }) =>
      query.where('key', '>', key),
    );
    for await (const { key, version, value, kept_at } of rows)
      yield { kind: 'cache', version, key, value: fromStored('cache', version, value), keptAt: kept_at };
  },
  async function* benches(db) {
    const rows = readPages(db.selectFrom('benches').selectAll().orderBy('id').limit(pageSize), (query, { id }) =>
      query.where('id', '>', id),
    );
    for await (const { id, version, name, plan, state, started_at, ended_at, touched_at } of rows)
      yield {
        kind: 'bench',
        version,
        id,
        name,
        plan: fromStored('bench', version, plan),
        state,
        startedAt: started_at,
        endedAt: ended_at,
        touchedAt: touched_at,
      };
  },
  async function* benchJudgements(db) {
    const query = db.selectFrom('bench_judgements').selectAll().orderBy('bench').orderBy('key').limit(pageSize);
    const rows = readPages(query, (all, { bench, key }) =>
      all.where(({ eb, refTuple, tuple }) => eb(refTuple('bench', 'key'), '>', tuple(bench, key))),
    );
    for await (const { bench, key, version, result } of rows)
      yield {
        kind: 'bench-judgement',
        version,
        bench,
        key: decodeKey(key),
        result: fromStored('bench-judgement', version, result),
      };
  },
  async function* benchAttachments(db) {
    const query = db
      .selectFrom('bench_attachments')
      .selectAll()
      .orderBy('bench')
      .orderBy('name')
      .limit(largeRowsAtOnce);
    const rows = readPages(query, (all, { bench, name }) =>
      all.where(({ eb, refTuple, tuple }) => eb(refTuple('bench', 'name'), '>', tuple(bench, name))),
    );
    for await (const { bench, name, version, value } of rows)
      yield { kind: 'bench-attachment', version, bench, name, value: fromStored('bench-attachment', version, value) };
  },
  exportAnnotations,
  exportAudit,
];
