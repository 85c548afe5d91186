import { keyedTable, table } from './table.ts';

/** Policies, subjects, debates and what belongs to them, and precedents. */
export const caseTables = {
  meta: table(`key text primary key, value text not null`),
  /** `kept_at` is null for what is older than this column. */
  policies: table(`
    hash text primary key, version integer not null, name text not null, policy_version text not null,
    document text not null, kept_at text`),
  /** `kept_at`: for an item that is about to be put into a run; null once a subject refers to it. */
  attachments: table(`hash text primary key, media_type text not null, data bytes not null, kept_at text`),
  /** `content`, `excerpt` and `search`, the excerpt in lower case, are null when it was forgotten. */
  subjects: table(`
    hash text primary key, version integer not null, content text, excerpt text, search text, opened_at text not null,
    forgotten_at text`),
  subject_attachments: table(`
    subject text not null references subjects (hash) on delete cascade, position integer not null,
    attachment text not null references attachments (hash), primary key (subject, position)`),
  /** `seen_at`: when whoever holds it last said so. `problem`: what stopped it, as JSON; null while nothing has. */
  debates: table(`
    id text primary key, version integer not null, job text not null, subject text not null references subjects (hash),
    configuration text not null, settings text not null, policy text not null references policies (hash), run text,
    again_of text, again_how text, opened_at text not null, forgotten_at text, seen_at text, problem text`),
  /** What is known about an item beside what it says: gone when its content is forgotten. */
  contexts: keyedTable(`
    debate text not null primary key references debates (id) on delete cascade, version integer not null,
    opened_at text not null, author text, thread text, context text not null`),
  entries: table(`
    id counter, debate text not null, key text not null, input_hash text not null, version integer not null,
    entry text not null, created_at text not null, unique (debate, key, input_hash)`),
  /** Pieces of prompts and replies, compressed, each once. */
  call_texts: table(`hash text not null primary key, data bytes not null`),
  /** What was sent to a model for a turn and what came back, without its long texts. */
  calls: keyedTable(`
    debate text not null, key text not null, input_hash text not null, position integer not null,
    version integer not null, call text not null, kept_at text not null,
    primary key (debate, key, input_hash, position)`),
  /** Which debates need which pieces. */
  call_parts: keyedTable(`
    debate text not null, hash text not null references call_texts (hash), primary key (debate, hash)`),
  /**
   * `action`, `severity`: what the policy asks for, and how grave it is; null for what is older, and where there is no
   * policy. `answer` is null when the content was forgotten.
   */
  verdicts: table(`
    debate text primary key references debates (id) on delete cascade, version integer not null, label text not null,
    risk real, bar real, escalate integer not null, rule text not null, categories text not null,
    degraded integer not null, modality text, answer text, seal text not null, closed_at text not null, action text,
    severity text`),
  /** `action`: what is to be done; null for what is older, and where nobody said. */
  decisions: table(`
    position counter, id text not null unique, version integer not null,
    case_id text not null references debates (id) on delete cascade, label text not null, why text, clause text,
    decided_by text not null, decided_at text not null, learnt_at text, action text`),
  /** What people say the verdict on a claim should have been. What is withdrawn is null while it stands. */
  corrections: table(`
    position counter, id text not null unique, version integer not null,
    case_id text not null references debates (id) on delete cascade, claim text not null, text text not null,
    verdict text not null, label text not null, why text not null, decided_by text not null, decided_at text not null,
    withdrawn_at text, withdrawn_by text, withdrawn_why text, matter text not null`),
  /**
   * What people make of findings for a report, the last word on each. `left_out` is 1 where it stays out of exports.
   */
  finding_edits: table(`
    case_id text not null references debates (id) on delete cascade, finding text not null, wording text, note text,
    left_out integer not null, edited_by text not null, edited_at text not null, primary key (case_id, finding)`),
  overdue_told: table(`
    case_id text not null references debates (id) on delete cascade, due_at text not null, told_at text not null,
    primary key (case_id, due_at)`),
  /** Which cases reviewers find together, and how soon they should decide them. */
  queues: table(`
    id text primary key, version integer not null, position integer not null, name text not null unique,
    rules text not null, due_minutes integer, assignees text not null, created_at text not null`),
  pictures: keyedTable(`
    debate text not null references debates (id) on delete cascade, image text not null, pdq text not null,
    quality integer not null, crops text not null, primary key (debate, image)`),
  /**
   * `case_id` is empty where it was refused before there was a case. `entry`: that of the list: its hash, and what is
   * said of it. `file`: the file that it is, or is in.
   */
  known_images: keyedTable(`
    id text not null primary key, case_id text not null, item text, run text, image text not null, pdq text not null,
    list text not null, entry text not null, label text, source text, distance integer not null,
    mirrored integer not null, found_at text not null, state text not null, note text, settled_by text,
    settled_at text, file text`),
  /** What must not be taken away; made from the audit log. Either the case or the author is null. */
  legal_holds: keyedTable(`
    id text not null primary key, version integer not null, case_id text, author text, reason text not null,
    placed_by text not null, placed_at text not null, until text, lifted_at text, lifted_by text, lifted_why text`),
  /** `subject`: the content it was learnt from. */
  precedents: table(`
    id text primary key, version integer not null, label text not null, category text, state text not null,
    subject text, precedent text not null, hash text not null`),
  /** `precedent`: of the library: a row of the ledger, or a seed. */
  precedent_vectors: table(`
    precedent text not null, model text not null, data bytes not null, primary key (model, precedent)`),
  cache: table(`key text primary key, version integer not null, value text not null, kept_at text not null`),
};

export const caseIndexes = [
  'create index subject_attachments_by_attachment on subject_attachments (attachment)',
  'create index debates_by_moment on debates (opened_at, id)',
  'create index debates_by_subject on debates (subject)',
  'create index debates_by_run on debates (run)',
  'create index debates_by_policy on debates (policy)',
  'create index debates_by_again on debates (again_of) where again_of is not null',
  'create index contexts_by_author on contexts (author, opened_at, debate) where author is not null',
  'create index contexts_by_thread on contexts (thread, opened_at, debate) where thread is not null',
  'create index call_parts_by_hash on call_parts (hash)',
  'create index verdicts_by_closing on verdicts (closed_at, debate)',
  'create index decisions_by_case on decisions (case_id, decided_at, position)',
  'create index decisions_by_moment on decisions (decided_at, position)',
  'create index decisions_by_time on decisions (decided_at, case_id)',
  'create index corrections_by_case on corrections (case_id, decided_at, position)',
  'create index known_images_by_time on known_images (found_at, id)',
  'create index known_images_by_file on known_images (file)',
  'create index legal_holds_by_case on legal_holds (case_id) where case_id is not null',
  'create index legal_holds_by_author on legal_holds (author) where author is not null',
  'create index precedents_by_subject on precedents (subject)',
  'create index precedents_by_state on precedents (state, id)',
  'create index cache_by_moment on cache (kept_at)',
];
