import { describe, expect, test } from 'vitest';
import { listChosen, readFilter, toQuery } from './case-filter.ts';

describe('the filter in an address', () => {
  test('is read as it was written', () => {
    const filter = readFilter({
      search: ' kettle ',
      job: 'moderation',
      label: 'unsafe',
      minDisagreement: '0.4',
      escalated: 'true',
      decided: 'false',
      run: 'run-1',
    });
    expect(filter).toMatchObject({
      search: 'kettle',
      job: 'moderation',
      label: 'unsafe',
      minDisagreement: 0.4,
      escalated: true,
      decided: false,
      run: 'run-1',
    });
    expect(listChosen(filter).map(({ name }) => name)).toEqual([
      'search',
      'job',
      'label',
      'minDisagreement',
      'escalated',
      'decided',
      'run',
    ]);
  });

  test('what makes no sense in it is left out', () => {
    expect(
      listChosen(
        readFilter({
          job: 'cooking',
          minDisagreement: '7',
          escalated: 'perhaps',
          from: '2026-02-30',
          to: 'tomorrow',
          search: '  ',
          odd: 'x',
        }),
      ),
    ).toEqual([]);
  });

  test('days are local, and the last one is whole', () => {
    const { since, until } = toQuery(readFilter({ from: '2026-03-01', to: '2026-03-01' }));
    expect(new Date(since!).getTime()).toBe(new Date(2026, 2, 1).getTime());
    expect(new Date(until!).getTime()).toBe(new Date(2026, 2, 2).getTime());
  });

  test('cases without a verdict are asked for as such', () => {
    expect(toQuery(readFilter({ label: 'open', degraded: 'true' }))).toEqual({ state: 'judging', degraded: true });
    expect(toQuery(readFilter({ label: 'interrupted' }))).toEqual({ state: 'interrupted' });
  });
});
