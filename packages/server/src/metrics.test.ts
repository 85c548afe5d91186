import { expect, test } from 'vitest';
import { operations } from './api/index.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { openMetrics } from './metrics.ts';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Prometheus' text format, line by line; throws on what is none. */
function samplesOf(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const {
        name,
        labels = '',
        value,
      } = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>-?[\d.e+-]+|nan|[+-]Inf)$/i.exec(line)?.groups ??
      {};
      if (name === undefined) throw new Error(`No sample: ${line}`);
      return {
        name,
        labels: Object.fromEntries(
          [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)",?/g)].map(([, label, content]) => [label!, content!]),
        ),
        value: Number(value),
      };
    });
}

function valueOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  return samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;
}

test('what is counted before Prometheus’ library is there is not lost', async () => {
  const meters = openMetrics({ held: () => 3, waiting: () => 2 });
  meters.countRequest('moderations.create', 200, 0.02);
  meters.countRequest('moderations.create', 200, 0.2);
  meters.countTrial('moderation', 'safe', 0.01);
  meters.countRefusal('queue-full');
  meters.countStream(1);
  meters.countStream(1);
  meters.countStream(-1);
  expect(meters.openStreams()).toBe(1);
  const samples = samplesOf(await meters.render());
  expect(valueOf(samples, 'agon_http_requests_total', { operation: 'moderations.create', status: '200' })).toBe(2);
  expect(valueOf(samples, 'agon_http_request_seconds_bucket', { operation: 'moderations.create', le: '0.025' })).toBe(
    1,
  );
  expect(valueOf(samples, 'agon_http_request_seconds_sum', { operation: 'moderations.create' })).toBeCloseTo(0.22);
  expect(valueOf(samples, 'agon_trials_total', { job: 'moderation', outcome: 'safe' })).toBe(1);
  expect(valueOf(samples, 'agon_trial_seconds_count', { job: 'moderation' })).toBe(1);
  expect(valueOf(samples, 'agon_refused_total', { code: 'queue-full' })).toBe(1);
  expect(valueOf(samples, 'agon_streams')).toBe(1);
  expect(valueOf(samples, 'agon_trials_held')).toBe(3);
  expect(valueOf(samples, 'agon_trials_waiting')).toBe(2);
  expect(valueOf(samples, 'agon_build_info', { version: '0.1.0' })).toBe(1);
});

test('two servers in one process count apart', async () => {
  const [one, other] = [
    openMetrics({ held: () => 0, waiting: () => 0 }),
    openMetrics({ held: () => 0, waiting: () => 0 }),
  ];
  one.countRefusal('rate-limited');
  expect(valueOf(samplesOf(await one.render()), 'agon_refused_total', { code: 'rate-limited' })).toBe(1);
  expect(valueOf(samplesOf(await other.render()), 'agon_refused_total', { code: 'rate-limited' })).toBeUndefined();
});

test('a server counts what it answered, by operation and never by what was asked', async () => {
  await using server = await runningServer();
  const secret = 'a-very-private-text';
  await server.call('/api/jobs/moderation/cases', { json: { text: `How do I kill a process on Linux? ${secret}` } });
  await server.call(`/api/cases/${secret}`);
  await server.call(`/${secret}?q=${secret}`);
  await server.call('/api/jobs/moderation/cases', { json: { text: 3 } });
  const response = await server.call('/metrics');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const samples = samplesOf(text);
  expect(valueOf(samples, 'agon_http_requests_total', { operation: 'moderations.create', status: '200' })).toBe(1);
  expect(valueOf(samples, 'agon_http_requests_total', { operation: 'moderations.create', status: '400' })).toBe(1);
  expect(valueOf(samples, 'agon_http_requests_total', { operation: 'cases.get', status: '404' })).toBe(1);
  expect(valueOf(samples, 'agon_http_requests_total', { operation: 'unknown', status: '404' })).toBe(1);
  expect(valueOf(samples, 'agon_trials_total', { job: 'moderation', outcome: 'safe' })).toBe(1);
  expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect(text).not.toContain(secret);
  const known = new Set<string>([...operations.map(({ id }) => id), 'unknown']);
  expect(
    samples.flatMap(({ labels }) => labels['operation'] ?? []).filter((operation) => !known.has(operation)),
  ).toEqual([]);
});
