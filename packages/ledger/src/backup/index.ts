/* Backups of a ledger: made while others write, restored whole or not at all. */

export type { Secrets } from './format.ts';
export { makeBackup } from './make-backup.ts';
export { openBackup, type OpenedBackup } from './read-backup.ts';
export { checkBackup, restoreBackup, type RestoreReport } from './restore-backup.ts';
export { openSecrets, sealSecrets } from './seal-secrets.ts';
