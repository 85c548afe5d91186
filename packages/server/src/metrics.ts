import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { version } from '@agonhq/engine/version';

/**
 * What the server counts, for Prometheus. Labels are ids of operations, statuses, jobs and codes: never anything of a
 * request.
 */
export interface Metrics {
  countRequest(operation: string, status: number, seconds: number): void;
  countTrial(job: string, outcome: string, seconds: number): void;
  countRefusal(why: string): void;
  countStream(change: 1 | -1): void;
  openStreams(): number;
  /** Says where the figures of this moment come from: a team that is opened again has others. */
  observe(figures: MetricFigures): void;
  collect(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
  /** As Prometheus reads them, with those of others: of teams, whose labels say whose they are. */
  render(others?: readonly Metrics[]): Promise<string>;
}

export interface MetricFigures {
  /** Trials that are held, and that wait for a place. */
  held(): number;
  waiting(): number;
  /** Items of runs that wait for a worker, by team; absent where somebody else says it. */
  queued?(): Promise<ReadonlyMap<string | null, number>>;
}

type Prometheus = typeof import('prom-client');
type Counting = Pick<Metrics, 'countRequest' | 'countTrial' | 'countRefusal' | 'countStream'>;
type Instruments = Counting & { registry: Registry };

const nothing: MetricFigures = { held: () => 0, waiting: () => 0 };

export function openMetrics(given: MetricFigures = nothing, team: string | null = null): Metrics {
  let figures = given;
  let streams = 0;
  // Loading the library takes longer than a server may take to answer its first request: what is counted until then
  // waits.
  let instruments: Instruments | null = null;
  let waiting: ((counted: Instruments) => void)[] = [];
  const loaded = import('prom-client').then((prometheus) => {
    const made = createInstruments(prometheus, () => figures);
    if (team !== null) made.registry.setDefaultLabels({ team });
    instruments = made;
    for (const count of waiting) count(made);
    waiting = [];
    return { made, prometheus, about: openProcessRegistry(prometheus) };
  });
  loaded.catch(() => undefined);

  function count(how: (counted: Instruments) => void): void {
    if (instruments) how(instruments);
    else waiting.push(how);
  }

  return {
    countRequest: (operation, status, seconds) => count((counted) => counted.countRequest(operation, status, seconds)),
    countTrial: (job, outcome, seconds) => count((counted) => counted.countTrial(job, outcome, seconds)),
    countRefusal: (why) => count((counted) => counted.countRefusal(why)),
    countStream(change) {
      streams += change;
      count((counted) => counted.countStream(change));
    },
    openStreams: () => streams,
    observe(others) {
      figures = others;
    },
    async collect() {
      return (await loaded).made.registry.getMetricsAsJSON();
    },
    async render(others = []) {
      const { made, prometheus, about } = await loaded;
      const all = await Promise.all([made.registry.getMetricsAsJSON(), ...others.map((other) => other.collect())]);
      const registry = others.length === 0 ? made.registry : prometheus.AggregatorRegistry.aggregate(all);
      return [await registry.metrics(), await about.metrics()].join('\n');
    },
  };
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const trialBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

function createInstruments(
  { Counter, Gauge, Histogram, Registry }: Prometheus,
  figures: () => MetricFigures,
): Instruments {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  const requests = counter(
    'agon_http_requests_total',
    'Requests that were answered, by operation and status.',
    'operation',
    'status',
  );
  const requestSeconds = histogram(
    'agon_http_request_seconds',
    'How long an answer took to begin, by operation.',
    requestBuckets,
    'operation',
  );
  const trials = counter(
    'agon_trials_total',
    'Trials that ended, by job and by label (or by the code of what went wrong).',
    'job',
    'outcome',
  );
  const trialSeconds = histogram('agon_trial_seconds', 'How long a trial took, by job.', trialBuckets, 'job');
  const refusals = counter(
    'agon_refused_total',
    'Requests that were turned away because it was too much at once, by code.',
    'code',
  );
  const streams = new Gauge({ name: 'agon_streams', help: 'Event streams that are open.', registers });
  const asked = (name: string, help: string, figure: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect(this: { set(value: number): void }) {
        this.set(figure());
      },
    });
  asked('agon_trials_held', 'Trials that are held at this moment.', () => figures().held());
  asked('agon_trials_waiting', 'Trials that wait for a place.', () => figures().waiting());
  registry.registerMetric(
    new Gauge({
      name: 'agon_queue_items',
      help: 'Items of runs that wait for a worker, of all servers and workers together.',
      labelNames: ['team'] as const,
      registers: [],
      async collect() {
        this.reset();
        for (const [team, items] of (await figures().queued?.()) ?? [])
          if (team === null) this.set(items);
          else this.set({ team }, items);
      },
    }),
  );
  new Gauge({
    name: 'agon_build_info',
    help: 'Which version this is: always 1.',
    labelNames: ['version'] as const,
    registers,
  }).set({ version }, 1);
  return {
    registry,
    countRequest(operation, status, seconds) {
      requests.inc({ operation, status });
      requestSeconds.observe({ operation }, seconds);
    },
    countTrial(job, outcome, seconds) {
      trials.inc({ job, outcome });
      trialSeconds.observe({ job }, seconds);
    },
    countRefusal: (code) => refusals.inc({ code }),
    countStream: (change) => streams.inc(change),
  };
}

let ofProcess: Registry | null = null;

/** Memory, event loop and the like: of the process, however many servers are in it. */
function openProcessRegistry({ collectDefaultMetrics, Registry }: Prometheus): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}
