import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { careForLedger, openLedger, type LedgerPlace } from '@agonhq/ledger';
import { auditLedger, makeCheckpoint } from '@agonhq/ledger/checkpoints';
import { backUpTo, backupSigner, fillForBackup, restoreFrom } from './backup-stage.ts';
import { exportedText, holdCase, openedCase } from './ledger-cases.ts';
import { itemAt, startRun, takeFrom } from './run-items.ts';

const { signer, keys } = backupSigner;

interface BackupStage {
  /** Where a ledger is not there yet. */
  newPlace(): Promise<LedgerPlace>;
  newFile(name: string): string;
}

async function backUp(file: string, place: LedgerPlace): Promise<void> {
  await using care = await careForLedger(place);
  await backUpTo(file, care);
}

/** What holds of a backup of a ledger of one kind that is restored into another. */
export function restoreContract(from: BackupStage, to: BackupStage): void {
  test('holds everything, its trees and checkpoints too, and can be gone on with', async () => {
    const place = await from.newPlace();
    const ledger = await openLedger(place);
    await fillForBackup(ledger);
    const file = from.newFile('ledger.backup');
    await backUp(file, place);
    const target = await to.newPlace();
    await restoreFrom(file, target);
    const restored = await openLedger(target);
    expect(await exportedText(restored)).toBe(await exportedText(ledger));
    expect(await restored.keys.listKeys()).toEqual(await ledger.keys.listKeys());
    expect(await restored.holds.listHolds()).toEqual(await ledger.holds.listHolds());
    expect(await restored.records.readState()).toEqual(await ledger.records.readState());
    const filter = { search: 'quotes', minDisagreement: 0 };
    expect(await restored.cases.listCases(filter)).toEqual(await ledger.cases.listCases(filter));
    await holdCase(restored, openedCase('case-3'));
    await restored.decisions.recordDecision({ case: 'case-3', label: 'unsafe', by: 'ben' });
    await makeCheckpoint(restored, { signer });
    expect((await auditLedger(restored, { keys })).checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['records', 'ok'],
      ['trees', 'ok'],
      ['checkpoints', 'ok'],
    ]);
    await expect(restoreFrom(file, target)).rejects.toMatchObject({ code: 'ledger-not-empty' });
    await (await openLedger(target)).close();
    await Promise.all([ledger.close(), restored.close()]);
  });
}

/** What holds of a backup of any kind of ledger. */
export function backupContract({ newPlace, newFile }: BackupStage): void {
  test('is of one moment, whatever is written meanwhile, and what was in hand waits again', async () => {
    const place = await newPlace();
    const ledger = await openLedger(place);
    await fillForBackup(ledger);
    await startRun(ledger, 'run-1', [itemAt(1), itemAt(2)]);
    expect(await takeFrom(ledger, 'run-1', 1)).toHaveLength(1);
    const before = (await ledger.readStats()).debates;
    const file = newFile('ledger.backup');
    await using care = await careForLedger(place);
    const snapshot = await care.openSnapshot();
    for (let number = 0; number < 5; number += 1) await holdCase(ledger, openedCase(`later-${number}`));
    await backUpTo(file, { openSnapshot: async () => snapshot });
    const target = await newPlace();
    await restoreFrom(file, target);
    const restored = await openLedger(target);
    expect((await restored.readStats()).debates).toBe(before);
    expect((await restored.records.audit()).problems).toEqual([]);
    expect(await restored.runs.countItems('run-1')).toMatchObject({ waiting: 2 });
    await Promise.all([ledger.close(), restored.close()]);
  });

  test('that is cut short or altered is refused, and leaves no ledger', async () => {
    const place = await newPlace();
    const ledger = await openLedger(place);
    await fillForBackup(ledger);
    await ledger.close();
    const whole = newFile('whole.backup');
    await backUp(whole, place);
    const bytes = readFileSync(whole);
    const target = await newPlace();
    const broken = newFile('broken.backup');
    const step = Math.ceil(bytes.length / 4);
    for (let at = 0; at < bytes.length; at += step) {
      writeFileSync(broken, bytes.subarray(0, at));
      await expect(restoreFrom(broken, target), `cut at ${at}`).rejects.toMatchObject({ code: 'broken-backup' });
    }
    writeFileSync(broken, Buffer.concat([bytes, Buffer.from('more')]));
    await expect(restoreFrom(broken, target)).rejects.toMatchObject({ code: 'broken-backup' });
    await expect(openLedger(target)).rejects.toMatchObject({ code: 'unfinished-restore' });
    await expect(restoreFrom(broken, target)).rejects.toMatchObject({ code: 'broken-backup' });
    await expect(openLedger(target)).rejects.toMatchObject({ code: 'unfinished-restore' });
    await restoreFrom(whole, target);
    await (await openLedger(target)).close();
    const there = await newPlace();
    await (await openLedger(there)).close();
    await expect(restoreFrom(broken, there)).rejects.toMatchObject({ code: 'broken-backup' });
    const empty = await openLedger(there);
    expect(await empty.readStats()).toMatchObject({ debates: 0, decisions: 0, subjects: 0 });
    await empty.close();
  });
}
