import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** Datasets that people label: projects, their items and images, votes and adjudications. */
export function annotationSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  const item = `foreign key (project, position) references annotation_items (project, position) on delete cascade`;
  const statements = [
    `create table annotation_projects (
      id ${text} primary key, version integer not null, name ${text} not null, labels ${text} not null,
      votes integer not null, guidelines ${text}, created_by ${text}, created_at ${text} not null
    ) ${end}`,
    // How far an item has come is told by its votes; kept beside it, since it is what items are looked for by.
    `create table annotation_items (
      project ${text} not null references annotation_projects (id) on delete cascade, position integer not null,
      version integer not null, key ${text} not null, content ${text} not null,
      voted integer not null, state ${text} not null, label ${text}, primary key (project, position)
    ) ${end}`,
    `create index annotation_items_by_need on annotation_items (project, state, voted desc, position)`,
    `create table annotation_images (
      project ${text} not null, position integer not null, number integer not null, name ${text} not null,
      attachment ${text} not null references attachments (hash),
      primary key (project, position, number), ${item}
    ) ${end}`,
    `create index annotation_images_by_attachment on annotation_images (attachment)`,
    `create table annotation_votes (
      project ${text} not null, position integer not null, voter ${text} not null, version integer not null,
      label ${text} not null, why ${text}, viewed ${text} not null, took_ms integer, voted_at ${text} not null,
      primary key (project, position, voter), ${item}
    ) ${end}`,
    `create index annotation_votes_by_voter on annotation_votes (project, voter)`,
    `create table annotation_adjudications (
      project ${text} not null, position integer not null, version integer not null, label ${text} not null,
      why ${text} not null, decided_by ${text} not null, decided_at ${text} not null,
      primary key (project, position), ${item}
    ) ${end}`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
