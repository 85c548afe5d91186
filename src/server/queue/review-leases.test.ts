import { expect, test } from 'vitest';
import { anonymousReviewer, showReviewer, openReviewLeases } from './review-leases.ts';

test('a case that one holds is refused to others for ten minutes, and until it is put back', () => {
  let now = Date.parse('2026-01-02T03:00:00Z');
  const leases = openReviewLeases({ now: () => now });
  expect(leases.take('case-1', 'ann')).toEqual({ by: 'ann', until: new Date('2026-01-02T03:10:00Z') });
  expect(() => leases.take('case-1', 'bob')).toThrow(
    expect.objectContaining({
      code: 'held-case',
      message: 'ann is reviewing case case-1 until 2026-01-02T03:10:00.000Z.',
    }),
  );
  expect(leases.findOther('case-1', 'bob')).toMatchObject({ by: 'ann' });
  expect(leases.findOther('case-1', 'ann')).toBeNull();

  now += 300_000;
  expect(leases.take('case-1', 'ann').until).toEqual(new Date('2026-01-02T03:15:00Z'));
  now += 599_999;
  expect(() => leases.take('case-1', 'bob')).toThrow();
  now += 1;
  expect(leases.take('case-1', 'bob')).toMatchObject({ by: 'bob' });

  leases.release('case-1', 'ann');
  expect(() => leases.take('case-1', 'ann')).toThrow();
  leases.release('case-1', 'bob');
  expect(leases.take('case-1', 'ann')).toMatchObject({ by: 'ann' });
});

test('who gave no name is somebody', () => {
  expect(showReviewer(anonymousReviewer)).toBe('somebody');
  expect(showReviewer('ann')).toBe('ann');
});
