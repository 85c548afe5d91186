import { expect, test } from 'vitest';
import { createProgressMeter } from './run-items.ts';

function meterWithClock() {
  const clock = { seconds: 0 };
  return { clock, meter: createProgressMeter(() => clock.seconds * 1000) };
}

test('the rate is that of the last half minute, and the time left follows from it', () => {
  const { clock, meter } = meterWithClock();
  meter.counts.total = 100;
  for (let second = 1; second <= 10; second++) {
    clock.seconds = second;
    meter.finish('judged');
    meter.finish('failed');
  }
  expect(meter.report()).toMatchObject({ judged: 10, failed: 10, rate: 2, etaSeconds: 40 });

  clock.seconds = 60;
  expect(meter.report()).toMatchObject({ judged: 10, rate: 0, etaSeconds: null });
});

test('what an earlier run did is neither left to do nor part of the rate', () => {
  const { clock, meter } = meterWithClock();
  meter.counts.total = 100;
  meter.counts.skipped = 90;
  clock.seconds = 5;
  for (let item = 0; item < 5; item++) meter.finish('judged');
  expect(meter.report()).toMatchObject({ rate: 1, etaSeconds: 5 });
});

test('nothing is promised before the total is known', () => {
  const { clock, meter } = meterWithClock();
  expect(meter.report()).toMatchObject({ rate: 0, etaSeconds: null });
  clock.seconds = 1;
  meter.finish('judged');
  expect(meter.report()).toMatchObject({ rate: 1, total: null, etaSeconds: null });
});
