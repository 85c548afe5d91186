import type { Kind } from '../database/database.ts';
import { columnTypes } from './column-types.ts';

/** Policies, subjects, debates and what belongs to them, and precedents. */
export function listCaseTables(kind: Kind): string[] {
  const { text, real, bytes, counter, end, keyed } = columnTypes(kind);
  return [
    `create table meta (
      key ${text} primary key, value ${text} not null
    ) ${end}`,
    `create table policies (
      hash ${text} primary key, version integer not null, name ${text} not null,
      policy_version ${text} not null, document ${text} not null, kept_at ${text}
    ) ${end}`,
    `create table attachments (
      hash ${text} primary key, media_type ${text} not null, data ${bytes} not null, kept_at ${text}
    ) ${end}`,
    `create table subjects (
      hash ${text} primary key, version integer not null, content ${text}, excerpt ${text}, search ${text},
      opened_at ${text} not null, forgotten_at ${text}
    ) ${end}`,
    `create table subject_attachments (
      subject ${text} not null references subjects (hash) on delete cascade, position integer not null,
      attachment ${text} not null references attachments (hash), primary key (subject, position)
    ) ${end}`,
    'create index subject_attachments_by_attachment on subject_attachments (attachment)',
    `create table debates (
      id ${text} primary key, version integer not null, job ${text} not null,
      subject ${text} not null references subjects (hash), configuration ${text} not null,
      settings ${text} not null, policy ${text} not null references policies (hash), run ${text},
      again_of ${text}, again_how ${text}, opened_at ${text} not null, forgotten_at ${text}, seen_at ${text},
      problem ${text}
    ) ${end}`,
    'create index debates_by_moment on debates (opened_at, id)',
    'create index debates_by_subject on debates (subject)',
    'create index debates_by_run on debates (run)',
    'create index debates_by_policy on debates (policy)',
    'create index debates_by_again on debates (again_of) where again_of is not null',
    `create table contexts (
      debate ${text} not null primary key references debates (id) on delete cascade, version integer not null,
      opened_at ${text} not null, author ${text}, thread ${text}, context ${text} not null
    ) ${keyed}`,
    'create index contexts_by_author on contexts (author, opened_at, debate) where author is not null',
    'create index contexts_by_thread on contexts (thread, opened_at, debate) where thread is not null',
    `create table entries (
      id ${counter}, debate ${text} not null, key ${text} not null, input_hash ${text} not null,
      version integer not null, entry ${text} not null, created_at ${text} not null,
      unique (debate, key, input_hash)
    ) ${end}`,
    `create table call_texts (
      hash ${text} not null primary key, data ${bytes} not null
    ) ${end}`,
    `create table calls (
      debate ${text} not null, key ${text} not null, input_hash ${text} not null, position integer not null,
      version integer not null, call ${text} not null, kept_at ${text} not null,
      primary key (debate, key, input_hash, position)
    ) ${keyed}`,
    `create table call_parts (
      debate ${text} not null, hash ${text} not null references call_texts (hash), primary key (debate, hash)
    ) ${keyed}`,
    'create index call_parts_by_hash on call_parts (hash)',
    `create table verdicts (
      debate ${text} primary key references debates (id) on delete cascade, version integer not null,
      label ${text} not null, risk ${real}, bar ${real}, escalate integer not null,
      rule ${text} not null, categories ${text} not null, degraded integer not null, modality ${text},
      answer ${text}, seal ${text} not null, closed_at ${text} not null, action ${text}, severity ${text}
    ) ${end}`,
    'create index verdicts_by_closing on verdicts (closed_at, debate)',
    `create table decisions (
      position ${counter}, id ${text} not null unique, version integer not null,
      case_id ${text} not null references debates (id) on delete cascade, label ${text} not null, why ${text},
      clause ${text}, decided_by ${text} not null, decided_at ${text} not null, learnt_at ${text},
      action ${text}
    ) ${end}`,
    'create index decisions_by_case on decisions (case_id, decided_at, position)',
    'create index decisions_by_moment on decisions (decided_at, position)',
    'create index decisions_by_time on decisions (decided_at, case_id)',
    `create table corrections (
      position ${counter}, id ${text} not null unique, version integer not null,
      case_id ${text} not null references debates (id) on delete cascade, claim ${text} not null,
      text ${text} not null, verdict ${text} not null, label ${text} not null, why ${text} not null,
      decided_by ${text} not null, decided_at ${text} not null, withdrawn_at ${text}, withdrawn_by ${text},
      withdrawn_why ${text}, matter ${text} not null
    ) ${end}`,
    'create index corrections_by_case on corrections (case_id, decided_at, position)',
    `create table finding_edits (
      case_id ${text} not null references debates (id) on delete cascade, finding ${text} not null,
      wording ${text}, note ${text}, left_out integer not null, edited_by ${text} not null,
      edited_at ${text} not null, primary key (case_id, finding)
    ) ${end}`,
    `create table overdue_told (
      case_id ${text} not null references debates (id) on delete cascade, due_at ${text} not null,
      told_at ${text} not null, primary key (case_id, due_at)
    ) ${end}`,
    `create table queues (
      id ${text} primary key, version integer not null, position integer not null, name ${text} not null unique,
      rules ${text} not null, due_minutes integer, assignees ${text} not null, created_at ${text} not null
    ) ${end}`,
    `create table pictures (
      debate ${text} not null references debates (id) on delete cascade, image ${text} not null,
      pdq ${text} not null, quality integer not null, crops ${text} not null, primary key (debate, image)
    ) ${keyed}`,
    `create table known_images (
      id ${text} not null primary key, case_id ${text} not null, item ${text}, run ${text},
      image ${text} not null, pdq ${text} not null, list ${text} not null, entry ${text} not null,
      label ${text}, source ${text}, distance integer not null, mirrored integer not null,
      found_at ${text} not null, state ${text} not null, note ${text}, settled_by ${text}, settled_at ${text},
      file ${text}
    ) ${keyed}`,
    'create index known_images_by_time on known_images (found_at, id)',
    'create index known_images_by_file on known_images (file)',
    `create table legal_holds (
      id ${text} not null primary key, version integer not null, case_id ${text}, author ${text},
      reason ${text} not null, placed_by ${text} not null, placed_at ${text} not null, until ${text},
      lifted_at ${text}, lifted_by ${text}, lifted_why ${text}
    ) ${keyed}`,
    'create index legal_holds_by_case on legal_holds (case_id) where case_id is not null',
    'create index legal_holds_by_author on legal_holds (author) where author is not null',
    `create table precedents (
      id ${text} primary key, version integer not null, label ${text} not null, category ${text},
      state ${text} not null, subject ${text}, precedent ${text} not null, hash ${text} not null
    ) ${end}`,
    'create index precedents_by_subject on precedents (subject)',
    'create index precedents_by_state on precedents (state, id)',
    `create table precedent_vectors (
      precedent ${text} not null, model ${text} not null, data ${bytes} not null, primary key (model, precedent)
    ) ${end}`,
    `create table cache (
      key ${text} primary key, version integer not null, value ${text} not null, kept_at ${text} not null
    ) ${end}`,
    'create index cache_by_moment on cache (kept_at)',
  ];
}
