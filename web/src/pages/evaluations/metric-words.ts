import { metricTitles, type MetricTitle } from '../../../../src/bench/rendering/metric-titles.ts';

const knownMetrics: Readonly<Record<string, MetricTitle>> = metricTitles;

/** A metric that has no words is shown by its name: a server may be newer than this page. */
export function findMetric(metric: string): MetricTitle {
  return knownMetrics[metric] ?? { title: metric, better: 'higher' };
}
