import { command, type CommandEntries } from './program.ts';

// Files that define several commands.
const imageLists = () => import('./known-images/lists.ts');
const imageQueue = () => import('./known-images/queue.ts');
const authors = () => import('./records/authors.ts');
const holds = () => import('./records/holds.ts');
const statements = () => import('./records/statements.ts');
const keys = () => import('./server/keys.ts');
const ledger = () => import('./server/ledger.ts');
const ledgerBackup = () => import('./server/ledger-backup.ts');
const ledgerCheckpoints = () => import('./server/ledger-checkpoints.ts');
const ledgerUpgrade = () => import('./server/ledger-upgrade.ts');
const models = () => import('./server/models.ts');
const parts = () => import('./server/parts.ts');
const signingKey = () => import('./server/signing-key.ts');
const teams = () => import('./server/teams.ts');
const watch = () => import('./watching/watch.ts');

/** What serves, looks after and gives account of what is on record. */
export const maintainCommands: CommandEntries = {
  serve: command('serve the console and the HTTP API', () => import('./server/serve.ts'), 'defineServe'),
  mcp: command('serve tools to assistants (MCP)', () => import('./server/mcp.ts'), 'defineMcp'),
  worker: command('judge the items of runs, beside other workers', () => import('./server/worker.ts'), 'defineWorker'),
  'known-images': {
    summary: 'lists of images that nobody is to see, and what came in of them',
    description: 'Lists of known images by perceptual hash, and the restricted queue of those that came in.',
    examples: [
      'agon known-images lists',
      'agon known-images check upload.jpg',
      'agon known-images add attack.png --to lists/ours.csv --label "the attack of May"',
      'agon known-images export --out report.json',
    ],
    commands: {
      hash: command('print the perceptual hash of images', imageLists, 'defineKnownImagesHash'),
      add: command('add images to a list', imageLists, 'defineKnownImagesAdd'),
      check: command('say which images are on a list', imageLists, 'defineKnownImagesCheck'),
      lists: command('show the lists in force', imageLists, 'defineKnownImagesLists'),
      queue: command('list the known images that came in', imageQueue, 'defineKnownImagesQueue'),
      settle: command('record what became of one', imageQueue, 'defineKnownImagesSettle'),
      export: command('write them as a report', imageQueue, 'defineKnownImagesExport'),
    },
  },
  watch: {
    summary: 'rules that raise alerts when verdicts drift',
    description: 'Rules that raise alerts when verdicts drift, and a look whether they do.',
    examples: ['agon watch add --name "Flagged by language" --by language', 'agon watch check', 'agon watch rules'],
    commands: {
      check: command('look whether something has drifted', watch, 'defineWatchCheck'),
      add: command('add a rule', watch, 'defineWatchAdd'),
      rules: command('list the rules', watch, 'defineWatchRules'),
      remove: command('remove a rule', watch, 'defineWatchRemove'),
    },
  },
  keys: {
    summary: 'manage the keys of the server',
    description: 'Manage the keys of `agon serve`. The ledger stores only a hash of each key.',
    examples: ['agon keys create --name ci --scope judge', 'agon keys list', 'agon keys revoke 3f9a0c5be211'],
    commands: {
      create: command('create a key', keys, 'defineKeysCreate'),
      list: command('list keys', keys, 'defineKeysList'),
      revoke: command('revoke a key', keys, 'defineKeysRevoke'),
    },
  },
  teams: {
    ...command('list teams, add and remove them', teams, 'defineTeams'),
    commands: {
      add: command('add a team', teams, 'defineTeamsAdd'),
      set: command('change the settings of a team', teams, 'defineTeamsSet'),
      remove: command('delete a team with everything on record', teams, 'defineTeamsRemove'),
    },
  },
  'signing-key': {
    summary: 'manage the key that signs evidence bundles',
    description: 'Manage the key that signs evidence bundles. It is made when it is first needed, in AGON_HOME.',
    examples: ['agon signing-key show', 'agon signing-key export > issuer.pem', 'agon signing-key rotate'],
    commands: {
      show: command('print the id of the key', signingKey, 'defineSigningKeyShow'),
      export: command('print the public keys', signingKey, 'defineSigningKeyExport'),
      rotate: command('replace the key', signingKey, 'defineSigningKeyRotate'),
    },
  },
  authors: {
    summary: 'export or forget everything of an author',
    description: 'Export or forget everything on record of the author of items.',
    examples: ['agon authors export user-4711 --out user-4711.zip', 'agon authors forget user-4711'],
    commands: {
      export: command('write everything on record of an author to a file', authors, 'defineAuthorsExport'),
      forget: command('delete what an author wrote', authors, 'defineAuthorsForget'),
    },
  },
  holds: {
    summary: 'keep cases and authors from being deleted',
    description: 'Legal holds: what they cover is neither forgotten nor pruned.',
    examples: [
      'agon holds place mod-315703c5ee85a07c --reason "Lawsuit 12/26"',
      'agon holds list',
      'agon holds lift hold-5be2a90c11d4f027 --why "It was settled."',
    ],
    commands: {
      place: command('place a hold', holds, 'defineHoldsPlace'),
      list: command('list holds', holds, 'defineHoldsList'),
      lift: command('lift a hold', holds, 'defineHoldsLift'),
    },
  },
  statements: {
    summary: 'write statements of reasons (DSA)',
    description: 'Statements of reasons with the members of the DSA Transparency Database.',
    examples: [
      'agon statements show mod-315703c5ee85a07c',
      'agon statements export --from 2026-10-01 --to 2026-11-01 --out october.jsonl',
    ],
    commands: {
      show: command('print the statement of a case', statements, 'defineStatementsShow'),
      export: command('write the statements of a time', statements, 'defineStatementsExport'),
    },
  },
  transparency: command(
    'count the decisions of a time, for a report',
    () => import('./records/transparency.ts'),
    'defineTransparency',
  ),
  audit: command('list who did what on the server', () => import('./server/audit.ts'), 'defineAudit'),
  ledger: {
    summary: 'manage the database of cases',
    description: 'Count, export, back up, delete and check what the ledger holds.',
    examples: [
      'agon ledger stats',
      'agon ledger checkpoint --out checkpoint.json',
      'agon ledger backup --out agon.backup',
      'agon ledger export --out ledger.jsonl',
      'agon ledger forget mod-315703c5ee85a07c',
    ],
    commands: {
      stats: command('count what the ledger holds', ledger, 'defineLedgerStats'),
      export: command('write the ledger to a file', ledger, 'defineLedgerExport'),
      prune: command('delete old contents', ledger, 'defineLedgerPrune'),
      forget: command('delete one content for good', ledger, 'defineLedgerForget'),
      checkpoint: command('sign what the ledger holds', ledgerCheckpoints, 'defineLedgerCheckpoint'),
      audit: command('check whether it was rewritten', ledgerCheckpoints, 'defineLedgerAudit'),
      prove: command('prove that a case is on record', () => import('./server/ledger-proof.ts'), 'defineLedgerProve'),
      backup: command('write a backup', ledgerBackup, 'defineLedgerBackup'),
      restore: command('restore a backup', ledgerBackup, 'defineLedgerRestore'),
      upgrade: command('bring it up to date', ledgerUpgrade, 'defineLedgerUpgrade'),
    },
  },
  models: {
    ...command('list the models, and add others', models, 'defineModels'),
    commands: {
      add: command('the same as `agon add`', parts, 'defineAdd'),
      remove: command('the same as `agon remove`', parts, 'defineRemove'),
    },
  },
  add: command('add a part that was not installed, or a model', parts, 'defineAdd'),
  remove: command('delete a part that was added', parts, 'defineRemove'),
  doctor: command('check the installation', () => import('./server/doctor.ts'), 'defineDoctor'),
};
