import { generateKeyPairSync, sign } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { makeBackup, openBackup, restoreBackup } from '@agonhq/ledger/backup';
import { makeCheckpoint, proveCase } from '@agonhq/ledger/checkpoints';
import { sha256 } from '@agonhq/engine/hash';
import { careForLedger, openLedger, type LedgerPlace } from '@agonhq/ledger';
import { countFigures } from '@agonhq/ledger/transparency';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { fillLedger } from './many-cases.ts';
import { scale } from './scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * How long a backup takes, its restore into either database, a proof, and the figures of a year:
 * `npm run bench:backup [-- --cases 35000]`.
 */

const { cases } = parseArgs({ options: { cases: { type: 'string' }, short: { type: 'boolean' } } }).values;
const count = cases === undefined ? scale(35_000, 300) : Number(cases);
const pair = generateKeyPairSync('ed25519');
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const id = sha256(pair.publicKey.export({ type: 'spki', format: 'der' }));
const signer = { id, sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, pair.privateKey)) };

const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-backup-'));
const server = await startPostgres();
const rows: string[][] = [];
try {
  const places: Record<string, () => Promise<LedgerPlace>> = {
    SQLite: async () => ({ file: path.join(folder, `${Math.random()}.sqlite`) }),
    PostgreSQL: async () => ({ url: await server.newDatabase() }),
  };
  for (const [kind, makePlace] of Object.entries(places)) {
    const place = await makePlace();
    const ledger = await openLedger(place);
    await fillLedger(ledger, count);
    const [first] = (await ledger.cases.listCases({}, { limit: 1 })).rows;
    await makeCheckpoint(ledger, { signer });
    await measure(`${kind}: prove a case`, () =>
      proveCase(ledger, first!, { signer, publicKeys: [{ id, pem }] }).then(() => undefined),
    );
    await measure(`${kind}: figures of a year`, () =>
      countFigures(ledger, { from: new Date('2026-01-01'), to: new Date('2027-01-01') }).then(() => undefined),
    );
    await ledger.close();
    const file = path.join(folder, `${kind}.backup`);
    await using care = await careForLedger(place);
    await measure(`${kind}: back up`, async () => {
      await pipeline(makeBackup(care, { signer, publicKeys: pem }), createWriteStream(file));
      return `${decimals(statSync(file).size / 1e6, 1)} MB`;
    });
    for (const [target, makeTarget] of Object.entries(places)) {
      await using empty = await careForLedger(await makeTarget());
      await measure(`${kind}: restore into ${target}`, async () => {
        const { rows: restored } = await restoreBackup(empty, await openBackup(file));
        return `${whole(restored)} rows`;
      });
    }
  }
  console.log(`${whole(count)} cases; load ${decimals(loadavg()[0]!, 1)}`);
  console.log(table(['', 'seconds', 'of processor', ''], rows));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function measure(name: string, work: () => Promise<string | undefined>): Promise<void> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const said = await work();
  const { user, system } = process.cpuUsage(before);
  rows.push([name, decimals((performance.now() - began) / 1_000, 1), decimals((user + system) / 1e6, 1), said ?? '']);
}
