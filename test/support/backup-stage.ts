import { generateKeyPairSync, sign, type KeyPairKeyObjectResult } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { sha256 } from '@agonhq/engine/hash';
import { careForLedger, type Ledger, type LedgerPlace } from '@agonhq/ledger';
import { makeBackup, openBackup, restoreBackup } from '@agonhq/ledger/backup';
import { makeCheckpoint, readKeys } from '@agonhq/ledger/checkpoints';
import { holdCase, openedCase, precedentOf } from './ledger-cases.ts';

/* Ledgers with some of everything, and backups of them. */

function makeSigner({ publicKey, privateKey }: KeyPairKeyObjectResult) {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const signer = {
    id: sha256(publicKey.export({ type: 'spki', format: 'der' })),
    sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)),
  };
  return { pem, signer, keys: readKeys(pem) };
}

/** Who signs backups and checkpoints here, and a stranger. */
export const backupSigner = makeSigner(generateKeyPairSync('ed25519'));
export const otherSigner = makeSigner(generateKeyPairSync('ed25519'));

/** Some of everything, with a checkpoint and something behind it. */
export async function fillForBackup(ledger: Ledger): Promise<void> {
  await holdCase(
    ledger,
    openedCase('case-1', { text: 'Ünïcode, \u{1f600} and "quotes"', context: { author: 'user-1' } }),
  );
  await ledger.attachments.keepAttachment({
    hash: sha256('image'),
    mediaType: 'image/png',
    data: Buffer.from([0, 255, 10]),
  });
  await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann', why: 'A joke.' });
  await ledger.precedents.keepPrecedents([precedentOf('precedent-1')]);
  await ledger.keys.keepKey({
    id: 'key-1',
    name: 'ci',
    secretHash: sha256('secret'),
    scopes: ['read'],
    reviewer: null,
    createdAt: new Date(),
    expiresAt: null,
  });
  await makeCheckpoint(ledger, { signer: backupSigner.signer });
  await holdCase(ledger, openedCase('case-2'));
  await ledger.holds.placeHold({ case: 'case-2', reason: 'A lawsuit.' }, { by: 'mara' });
}

/** Everything of a ledger at one moment, in a file. */
export async function backUpTo(
  file: string,
  care: Parameters<typeof makeBackup>[0],
  { signer, pem } = backupSigner,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of makeBackup(care, { signer, publicKeys: pem })) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
}

export async function restoreFrom(file: string, place: LedgerPlace): Promise<void> {
  await using care = await careForLedger(place);
  await restoreBackup(care, await openBackup(file, { keys: backupSigner.keys }));
}

/** Everything of one ledger into another that is not there yet, without a file between. */
export async function restoreInto(to: LedgerPlace, from: LedgerPlace): Promise<void> {
  await using source = await careForLedger(from);
  await using snapshot = await source.openSnapshot();
  await using target = await careForLedger(to);
  const { fill } = target;
  await fill({ ...snapshot.head, madeAt: new Date().toISOString() }, snapshot.parts);
}
