import { lazy } from 'react';

/* Charts come when one is shown: recharts is heavier than the rest of the console. */

export const StackedDays = lazy(async () => ({ default: (await import('./bar-charts.tsx')).StackedDays }));
export const Histogram = lazy(async () => ({ default: (await import('./bar-charts.tsx')).Histogram }));
export const Calibration = lazy(async () => ({ default: (await import('./scatter-charts.tsx')).Calibration }));
export const DayLines = lazy(async () => ({ default: (await import('./day-lines.tsx')).DayLines }));
export const IntervalChart = lazy(async () => ({ default: (await import('./scatter-charts.tsx')).IntervalChart }));
export { ChartFigure } from './chart-figure.tsx';
