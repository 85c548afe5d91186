import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { anonymousReviewer, showReviewer, openReviewLeases } from './review-leases.ts';

test('a case that one holds is refused to others for ten minutes, and until it is put back', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-leases-'));
  const ledger = await openNewLedger(path.join(folder, 'ledger.sqlite'));
  onTestFinished(async () => {
    await ledger.close();
    await rm(folder, { recursive: true });
  });
  let now = Date.parse('2026-01-02T03:00:00Z');
  const leases = openReviewLeases(ledger, { now: () => now });
  expect(await leases.take('case-1', 'ann')).toEqual({ by: 'ann', until: new Date('2026-01-02T03:10:00Z') });
  await expect(leases.take('case-1', 'bob')).rejects.toThrow(
    expect.objectContaining({
      code: 'held-case',
      message: 'ann is reviewing case case-1 until 2026-01-02T03:10:00.000Z.',
    }),
  );
  expect(await leases.findOther('case-1', 'bob')).toMatchObject({ by: 'ann' });
  expect(await leases.findOther('case-1', 'ann')).toBeNull();

  now += 300_000;
  expect((await leases.take('case-1', 'ann')).until).toEqual(new Date('2026-01-02T03:15:00Z'));
  now += 599_999;
  await expect(leases.take('case-1', 'bob')).rejects.toThrow();
  now += 1;
  expect(await leases.take('case-1', 'bob')).toMatchObject({ by: 'bob' });

  await leases.release('case-1', 'ann');
  await expect(leases.take('case-1', 'ann')).rejects.toThrow();
  await leases.release('case-1', 'bob');
  expect(await leases.take('case-1', 'ann')).toMatchObject({ by: 'ann' });
});

test('who gave no name is somebody', () => {
  expect(showReviewer(anonymousReviewer)).toBe('somebody');
  expect(showReviewer('ann')).toBe('ann');
});
