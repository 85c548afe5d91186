import { expect, test } from 'vitest';
import { anonymous, holderName, openHolds } from './review-leases.ts';

test('a case that one holds is refused to others for ten minutes, and until it is put back', () => {
  let now = Date.parse('2026-01-02T03:00:00Z');
  const holds = openHolds({ now: () => now });
  expect(holds.take('case-1', 'ann')).toEqual({ by: 'ann', until: new Date('2026-01-02T03:10:00Z') });
  expect(() => holds.take('case-1', 'bob')).toThrow(
    expect.objectContaining({ code: 'held-case', message: 'ann looks at case case-1 until 2026-01-02T03:10:00.000Z.' }),
  );
  expect(holds.heldFrom('case-1', 'bob')).toMatchObject({ by: 'ann' });
  expect(holds.heldFrom('case-1', 'ann')).toBeNull();

  now += 300_000;
  expect(holds.take('case-1', 'ann').until).toEqual(new Date('2026-01-02T03:15:00Z'));
  now += 599_999;
  expect(() => holds.take('case-1', 'bob')).toThrow();
  now += 1;
  expect(holds.take('case-1', 'bob')).toMatchObject({ by: 'bob' });

  holds.release('case-1', 'ann');
  expect(() => holds.take('case-1', 'ann')).toThrow();
  holds.release('case-1', 'bob');
  expect(holds.take('case-1', 'ann')).toMatchObject({ by: 'ann' });
});

test('who gave no name is somebody', () => {
  expect(holderName(anonymous)).toBe('somebody');
  expect(holderName('ann')).toBe('ann');
});
