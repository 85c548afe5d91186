import { hash } from 'node:crypto';
import { sha256 } from '@agonhq/engine/hash';
import type { Tables } from '../schema/tables.ts';

/** The columns of a row that its hash is of, as they are listed. */
const hashedColumns = [
  'id',
  'opened_at',
  'run',
  'label',
  'escalate',
  'degraded',
  'modality',
  'categories',
  'risk',
  'bar',
  'action',
  'severity',
  'author',
  'thread',
  'channel',
] as const satisfies readonly (keyof Tables['listing'])[];

type HashedRow = Pick<Tables['listing'], (typeof hashedColumns)[number] | 'subject' | 'packed'>;

/** What a batch commits to for a row: its columns, what is packed, and what it shares with others. */
export function hashRow(row: HashedRow, setup: string): Uint8Array {
  const columns = JSON.stringify([...hashedColumns.map((name) => row[name]), setup]);
  return hash('sha256', Buffer.concat([row.subject!, row.packed!, Buffer.from(columns)]), 'buffer');
}

export function hashSetup({
  job,
  configuration,
  settings,
  policy,
  dictionary,
}: Pick<Tables['setups'], 'job' | 'configuration' | 'settings' | 'policy' | 'dictionary'>): string {
  return sha256(JSON.stringify([job, configuration, settings, policy, hash('sha256', dictionary, 'hex')]));
}
