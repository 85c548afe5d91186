import { AgonError } from '../../errors.ts';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

const ours = {
  policies: true,
  attachments: true,
  subjects: true,
  subject_attachments: true,
  debates: true,
  entries: true,
  verdicts: true,
  listing: true,
  decisions: true,
  precedents: true,
  precedent_vectors: true,
  runs: true,
  run_items: true,
  run_accounts: true,
  reservations: true,
  benches: true,
  bench_judgements: true,
  bench_attachments: true,
  activations: true,
  api_keys: true,
  idempotency_keys: true,
  webhooks: true,
  deliveries: true,
  annotation_projects: true,
  annotation_items: true,
  annotation_images: true,
  annotation_votes: true,
  annotation_adjudications: true,
  workers: true,
  shares: true,
  cache: true,
  meta: true,
} satisfies Record<keyof Tables, true>;

/**
 * Another program's database is left as it is: a file of SQLite with tables that are not a ledger's, a schema of
 * PostgreSQL where tables of the same names stand. There the migrator's own table comes first, and may be all there
 * is yet.
 */
export function refuseForeignTables(tables: readonly string[], kind: Kind, place: string): void {
  const isOurs = tables.includes('kysely_migration') && (kind === 'postgresql' || tables.includes('meta'));
  const inTheWay = kind === 'sqlite' ? tables : tables.filter((name) => Object.hasOwn(ours, name));
  if (isOurs || inTheWay.length === 0) return;
  const [what, hint] =
    kind === 'sqlite'
      ? [
          'another program keeps its tables there',
          {
            library: 'Name another file; this one was left as it is.',
            cli: 'Name another file with --ledger FILE or AGON_LEDGER; this one was left as it is.',
          },
        ]
      : [
          `another program has a table ${inTheWay[0]} there`,
          'Name another database in AGON_DATABASE_URL, or a schema of its own (?options=-c%20search_path%3DNAME); ' +
            'this one was left as it is.',
        ];
  throw new AgonError('not-a-ledger', `${place} is not a ledger: ${what}.`, hint);
}
