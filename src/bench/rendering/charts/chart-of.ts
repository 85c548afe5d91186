import type { Markup } from '../../../reports/index.ts';
import type { Chart } from '../block.ts';
import { bars } from './bars.ts';
import { curves } from './curves.ts';
import { lines } from './lines.ts';
import { reliability } from './reliability.ts';
import { scatter } from './scatter.ts';
import { trajectory } from './trajectory.ts';

export function chartOf(chart: Chart): Markup {
  switch (chart.kind) {
    case 'bars':
      return bars(chart);
    case 'lines':
      return lines(chart);
    case 'curves':
      return curves(chart);
    case 'reliability':
      return reliability(chart);
    case 'scatter':
      return scatter(chart);
    case 'trajectory':
      return trajectory(chart);
  }
}
