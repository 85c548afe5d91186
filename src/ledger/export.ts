import { annotationLines } from './annotation/annotation-lines.ts';
import { keyOf } from './benches/bench-store.ts';
import type { Database, Db } from './database/database.ts';
import { fromStored } from './database/stored-json.ts';
import type { LedgerLine } from './ledger.ts';
import { errorOf, resultOf } from './runs/run-rows.ts';

const pageSize = 500;
/** A document may have a hundred megabytes. */
const attachmentsAtOnce = 1;
/** The sheets of a bench hold all its items. */
const sheetsAtOnce = 1;

/** Every row at one moment, in an order in which nothing refers to what is yet to come. */
export async function* exportLines(database: Database): AsyncGenerator<LedgerLine> {
  await using moment = await database.snapshot();
  yield { kind: 'ledger', version: 1 };
  for (const lines of sections) yield* lines(moment.db);
}

const sections: readonly ((db: Db) => AsyncGenerator<LedgerLine>)[] = [
  async function* policies(db) {
    let after = '';
    const page = () =>
      db.selectFrom('policies').selectAll().where('hash', '>', after).orderBy('hash').limit(pageSize).execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { hash, version, name, policy_version, document, kept_at } of rows) {
        // Only where there is one: so a line of an older export stays as it was.
        yield {
          kind: 'policy',
          version,
          hash,
          name,
          policyVersion: policy_version,
          document: fromStored('policy', version, document),
          ...(kept_at === null ? {} : { keptAt: kept_at }),
        };
        after = hash;
      }
    }
  },
  async function* attachments(db) {
    let after = '';
    const page = () =>
      db
        .selectFrom('attachments')
        .selectAll()
        .where('hash', '>', after)
        .orderBy('hash')
        .limit(attachmentsAtOnce)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { hash, media_type, data } of rows) {
        yield {
          kind: 'attachment',
          version: 1,
          hash,
          mediaType: media_type,
          data: Buffer.from(data).toString('base64'),
        };
        after = hash;
      }
    }
  },
  async function* subjects(db) {
    let after = '';
    const page = () =>
      db.selectFrom('subjects').selectAll().where('hash', '>', after).orderBy('hash').limit(pageSize).execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { hash, version, content, excerpt, opened_at, forgotten_at } of rows) {
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
        after = hash;
      }
    }
  },
  async function* runs(db) {
    let after = '';
    const page = () =>
      db.selectFrom('runs').selectAll().where('id', '>', after).orderBy('id').limit(pageSize).execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const {
        id,
        version,
        name,
        job,
        configuration,
        settings,
        input,
        state,
        problem,
        total,
        started_at,
        ended_at,
      } of rows) {
        yield {
          kind: 'run',
          version,
          id,
          name,
          job,
          configuration,
          settings: fromStored('run', version, settings),
          input,
          state,
          // The same.
          ...(problem === null ? {} : { problem }),
          ...(total === null ? {} : { total }),
          startedAt: started_at,
          endedAt: ended_at,
        };
        after = id;
      }
    }
  },
  async function* runItems(db) {
    let after: [string, number] = ['', -1];
    const page = () =>
      db
        .selectFrom('run_items')
        .selectAll()
        .where(({ eb, refTuple, tuple }) => eb(refTuple('run', 'position'), '>', tuple(...after)))
        .orderBy('run')
        .orderBy('position')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const row of rows) {
        const { run, version, key, hash, input, expected, state, same_as, attempts, error, ended_at } = row;
        yield {
          kind: 'run-item',
          version,
          run,
          position: row.position,
          key,
          hash,
          input: input === null ? null : fromStored('run-item', version, input),
          expected,
          // Who has it in hand here has nothing in hand where the export is read.
          state: state === 'running' ? 'waiting' : state,
          sameAs: same_as,
          attempts,
          result: resultOf(row),
          error: error === null ? null : errorOf(error),
          endedAt: ended_at,
        };
        after = [run, row.position];
      }
    }
  },
  async function* debates(db) {
    let after: [string, string] = ['', ''];
    const page = () =>
      db
        .selectFrom('debates')
        .selectAll()
        .where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '>', tuple(...after)))
        .orderBy('opened_at')
        .orderBy('id')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const {
        id,
        version,
        job,
        subject,
        configuration,
        settings,
        policy,
        run,
        again_of,
        again_how,
        opened_at,
        forgotten_at,
      } of rows) {
        yield {
          kind: 'debate',
          version,
          id,
          job,
          subject,
          configuration,
          settings: fromStored('debate', version, settings),
          policy,
          run,
          again: again_of === null ? null : { of: again_of, how: again_how },
          openedAt: opened_at,
          forgottenAt: forgotten_at,
        };
        after = [opened_at, id];
      }
    }
  },
  async function* entries(db) {
    let after: [string, number] = ['', -1];
    const page = () =>
      db
        .selectFrom('entries')
        .selectAll()
        .where(({ eb, refTuple, tuple }) => eb(refTuple('debate', 'id'), '>', tuple(...after)))
        .orderBy('debate')
        .orderBy('id')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { id, debate, version, entry, created_at } of rows) {
        yield { kind: 'entry', version, debate, entry: fromStored('entry', version, entry), createdAt: created_at };
        after = [debate, id];
      }
    }
  },
  async function* verdicts(db) {
    let after = '';
    const page = () =>
      db
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
          'listing.cost_usd',
          'listing.latency_ms',
        ])
        .where('debate', '>', after)
        .orderBy('debate')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const {
        debate,
        version,
        label,
        score,
        probability,
        escalate,
        rule,
        categories,
        degraded,
        modality,
        answer,
        seal,
        closed_at,
        confidence,
        disagreement,
        models,
        cost_usd,
        latency_ms,
      } of rows) {
        yield {
          kind: 'verdict',
          version,
          debate,
          label,
          score,
          probability,
          escalate: escalate === 1,
          rule,
          categories: JSON.parse(categories) as string[],
          degraded: degraded === 1,
          modality,
          answer: answer === null ? null : fromStored('verdict', version, answer),
          seal,
          closedAt: closed_at,
          // Where there is an answer, they are read from it.
          ...(answer === null && (confidence !== null || disagreement !== null || models !== '[]')
            ? {
                marks: {
                  confidence,
                  disagreement,
                  models: JSON.parse(models) as string[],
                  ...known({ costUsd: cost_usd, latencyMs: latency_ms }),
                },
              }
            : {}),
        };
        after = debate;
      }
    }
  },
  async function* decisions(db) {
    let after = -1;
    const page = () =>
      db
        .selectFrom('decisions')
        .selectAll()
        .where('position', '>', after)
        .orderBy('position')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { position, id, version, case_id, label, why, clause, decided_by, decided_at, learnt_at } of rows) {
        yield {
          kind: 'decision',
          version,
          id,
          case: case_id,
          label,
          why,
          clause,
          by: decided_by,
          at: decided_at,
          learntAt: learnt_at,
        };
        after = position;
      }
    }
  },
  async function* precedents(db) {
    let after = '';
    const page = () =>
      db
        .selectFrom('precedents')
        .select(['id', 'version', 'precedent'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { id, version, precedent } of rows) {
        yield { kind: 'precedent', version, precedent: fromStored('precedent', version, precedent) };
        after = id;
      }
    }
  },
  async function* cache(db) {
    let after = '';
    const page = () =>
      db.selectFrom('cache').selectAll().where('key', '>', after).orderBy('key').limit(pageSize).execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { key, version, value, kept_at } of rows) {
        yield { kind: 'cache', version, key, value: fromStored('cache', version, value), keptAt: kept_at };
        after = key;
      }
    }
  },
  async function* benches(db) {
    let after = '';
    const page = () =>
      db.selectFrom('benches').selectAll().where('id', '>', after).orderBy('id').limit(pageSize).execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { id, version, name, plan, state, started_at, ended_at, touched_at } of rows) {
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
        after = id;
      }
    }
  },
  async function* benchJudgements(db) {
    let after: [string, string] = ['', ''];
    const page = () =>
      db
        .selectFrom('bench_judgements')
        .selectAll()
        .where(({ eb, refTuple, tuple }) => eb(refTuple('bench', 'key'), '>', tuple(...after)))
        .orderBy('bench')
        .orderBy('key')
        .limit(pageSize)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { bench, key, version, result } of rows) {
        yield {
          kind: 'bench-judgement',
          version,
          bench,
          key: keyOf(key),
          result: fromStored('bench-judgement', version, result),
        };
        after = [bench, key];
      }
    }
  },
  async function* benchAttachments(db) {
    let after: [string, string] = ['', ''];
    const page = () =>
      db
        .selectFrom('bench_attachments')
        .selectAll()
        .where(({ eb, refTuple, tuple }) => eb(refTuple('bench', 'name'), '>', tuple(...after)))
        .orderBy('bench')
        .orderBy('name')
        .limit(sheetsAtOnce)
        .execute();
    for (let rows = await page(); rows.length > 0; rows = await page()) {
      for (const { bench, name, version, value } of rows) {
        yield { kind: 'bench-attachment', version, bench, name, value: fromStored('bench-attachment', version, value) };
        after = [bench, name];
      }
    }
  },
  annotationLines,
];

/** The members that are not null. */
function known(members: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(Object.entries(members).filter((member): member is [string, number] => member[1] !== null));
}
