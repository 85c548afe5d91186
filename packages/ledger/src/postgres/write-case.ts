import { sql, type Insertable } from 'kysely';
import type { ListedVerdict, ListedWords } from '../cases/listing.ts';
import type { Db } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { leafVersion, makeLeaf, type NewLeaf } from '../records/leaves.ts';
import type { RecordKindName, RecordRow } from '../records/record-kinds.ts';
import type { Tables } from '../schema/tables.ts';

/*
 * On a server each statement is a way there and back, and a transaction two more: the usual case is opened by one
 * statement and closed by one.
 */

type OpenValues = Pick<Tables['subjects'], 'hash' | 'content' | 'excerpt'> &
  ListedWords &
  Pick<Tables['listing'], 'language'> &
  Pick<
    Tables['debates'],
    'version' | 'id' | 'job' | 'configuration' | 'settings' | 'policy' | 'run' | 'again_of' | 'again_how' | 'opened_at'
  > &
  LeafValues<'subject'> &
  LeafValues<'case'>;

/** What differs between leaves that are written together. */
type LeafValues<Name extends string> = Record<`${Name}_salt` | `${Name}_commitment`, Uint8Array>;

const leafColumns = sql.raw('version, month, kind, record, part, salt, commitment, written_at');

/** A leaf within a statement, but for which rows it is of. */
function selectLeaf(kind: string, record: string, leaf: Pick<NewLeaf, 'salt' | 'commitment' | 'written_at'>) {
  return sql`select cast(${sql.lit(leafVersion)} as integer), substr(cast(${leaf.written_at} as text), 1, 7),
    ${sql.lit(kind)}, ${sql.ref(record)}, '', cast(${leaf.salt} as bytea),
    cast(${leaf.commitment} as bytea), cast(${leaf.written_at} as text)`;
}

const openStatement = fixedQuery((db, value: OpenValues) => ({
  compile: () =>
    sql<{ hash: string }>`
    with known as (
      select hash from policies where hash = ${value.policy}
      and not exists (select 1 from listing where id = ${value.id} and packed is not null) for key share
    ),
    brought as (
      insert into subjects (hash, version, content, excerpt, search, opened_at, forgotten_at)
      select ${value.hash}, cast(${value.version} as integer), ${value.content}, ${value.excerpt}, ${value.search},
      ${value.opened_at}, null from known
      on conflict (hash) do update set version = excluded.version, content = excluded.content,
        excerpt = excluded.excerpt, search = excluded.search, forgotten_at = null
      where subjects.forgotten_at is not null
      returning hash
    ),
    opened as (
      insert into debates (id, version, job, subject, configuration, settings, policy, run, again_of, again_how,
        opened_at, forgotten_at, seen_at)
      select ${value.id}, cast(${value.version} as integer), ${value.job}, ${value.hash}, ${value.configuration},
      ${value.settings}, hash, ${value.run}, ${value.again_of}, ${value.again_how},
        ${value.opened_at}, null, ${value.opened_at} from known
      on conflict (id) do update set forgotten_at = null where debates.forgotten_at is not null
      returning opened_at, id, job, run, again_how
    ),
    entered as (
      insert into record_leaves (${leafColumns})
      ${selectLeaf('subject', 'brought.hash', {
        salt: value.subject_salt,
        commitment: value.subject_commitment,
        written_at: value.opened_at,
      })}
      from brought
      union all
      ${selectLeaf('case', 'opened.id', {
        salt: value.case_salt,
        commitment: value.case_commitment,
        written_at: value.opened_at,
      })}
      from opened where opened.opened_at = ${value.opened_at}
    ),
    held as (
      update debates set seen_at = ${value.opened_at}, problem = null
      where id = ${value.id} and not exists (select 1 from opened)
    ),
    listed as (
      insert into listing (opened_at, id, job, run, language, decided, escalate, degraded, categories, models, search,
        pairs_1, pairs_2, pairs_3, pairs_4, shadow)
      select opened_at, id, job, run, cast(${value.language} as text), 0, 0, 0, '[]', '[]', ${value.search},
        cast(${value.pairs_1} as bigint), cast(${value.pairs_2} as bigint), cast(${value.pairs_3} as bigint),
          cast(${value.pairs_4} as bigint), case when again_how = 'shadow' then 1 else 0 end from opened
      where not exists (select 1 from listing where listing.opened_at = opened.opened_at and listing.id = opened.id)
    ),
    relisted as (
      update listing set search = ${value.search}, pairs_1 = cast(${value.pairs_1} as bigint),
        pairs_2 = cast(${value.pairs_2} as bigint), pairs_3 = cast(${value.pairs_3} as bigint),
        pairs_4 = cast(${value.pairs_4} as bigint)
      from opened where listing.opened_at = opened.opened_at and listing.id = opened.id
    )
    select hash from known`.compile(db),
}));

/** False, and nothing done, when the policy is not there yet, or the case is a single row. */
export async function openInOneStatement(
  db: Db,
  subject: Tables['subjects'],
  debate: Insertable<Tables['debates']>,
  words: ListedWords & Pick<Tables['listing'], 'language'>,
): Promise<boolean> {
  const { hash, content, excerpt } = subject;
  const { version, id, job, configuration, settings, policy, run, again_of, again_how, opened_at } = debate;
  const { rows } = await openStatement(db, {
    hash,
    content,
    excerpt,
    ...words,
    version,
    id,
    job,
    configuration,
    settings,
    policy,
    run,
    again_of,
    again_how,
    opened_at,
    ...leafValues('subject', subject),
    ...leafValues('case', debate),
  } as OpenValues);
  return rows.length > 0;
}

function leafValues<Name extends RecordKindName>(name: Name, row: RecordRow<Name>): LeafValues<Name> {
  const { salt, commitment } = makeLeaf(name, row);
  return { [`${name}_salt`]: salt, [`${name}_commitment`]: commitment } as LeafValues<Name>;
}

type CloseValues = Insertable<Tables['verdicts']> &
  LeafValues<'answer'> &
  Pick<ListedVerdict, 'clauses' | 'disagreement' | 'models' | 'cost_usd' | 'latency_ms' | 'reviewed' | 'urgency'> &
  Pick<Tables['listing'], 'stage'>;

const closeStatement = fixedQuery((db, value: CloseValues) => ({
  compile: () =>
    sql<{ debate: string }>`
    with closed as (
      insert into verdicts (debate, version, label, risk, bar, escalate, rule, categories, degraded,
        modality, action, severity, answer, seal, closed_at)
      select id, cast(${value.version} as integer), ${value.label}, cast(${value.risk} as double precision),
        cast(${value.bar} as double precision), cast(${value.escalate} as integer),
        ${value.rule}, ${value.categories}, cast(${value.degraded} as integer), ${value.modality},
        cast(${value.action} as text), cast(${value.severity} as text),
        ${value.answer}, ${value.seal}, ${value.closed_at}
      from debates where id = ${value.debate} and forgotten_at is null and not exists (select 1 from queues) for share
      on conflict (debate) do nothing
      returning debate
    ),
    entered as (
      insert into record_leaves (${leafColumns})
      ${selectLeaf('answer', 'closed.debate', {
        salt: value.answer_salt,
        commitment: value.answer_commitment,
        written_at: value.closed_at,
      })}
      from closed
    ),
    listed as (
      update listing set label = ${value.label}, escalate = cast(${value.escalate} as integer),
        degraded = cast(${value.degraded} as integer), modality = ${value.modality}, categories = ${value.categories},
        clauses = ${value.clauses},
          disagreement = cast(${value.disagreement} as double precision), models = ${value.models},
        risk = cast(${value.risk} as double precision),
          bar = cast(${value.bar} as double precision),
          cost_usd = cast(${value.cost_usd} as double precision),
        latency_ms = cast(${value.latency_ms} as double precision),
          action = cast(${value.action} as text), severity = cast(${value.severity} as text),
          reviewed = cast(${value.reviewed} as integer), urgency = cast(${value.urgency} as double precision),
        stage = case when coalesce(debates.again_how, '') not in ('replay', 'shadow') and debates.forgotten_at is null
          and listing.decided = 0 then ${value.stage} end
      from closed inner join debates on debates.id = closed.debate
      where listing.opened_at = debates.opened_at and listing.id = debates.id
    )
    select debate from closed`.compile(db),
}));

/**
 * False, and nothing done, when there is a verdict already, no such case, or one that was forgotten; or where there
 * are queues: which one takes it is found out in a transaction.
 */
export async function closeInOneStatement(
  db: Db,
  verdict: Insertable<Tables['verdicts']>,
  { clauses, disagreement, models, cost_usd, latency_ms, reviewed, urgency }: ListedVerdict,
  stage: Tables['listing']['stage'],
): Promise<boolean> {
  return (
    (
      await closeStatement(db, {
        ...verdict,
        clauses,
        disagreement,
        models,
        cost_usd,
        latency_ms,
        reviewed,
        urgency,
        stage,
        ...leafValues('answer', verdict),
      })
    ).rows.length > 0
  );
}
