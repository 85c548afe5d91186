import { lazy } from 'react';

/* Charts come when one is shown: recharts is heavier than the rest of the console. */

export const StackedDays = lazy(async () => ({ default: (await import('./charts.tsx')).StackedDays }));
export const Histogram = lazy(async () => ({ default: (await import('./charts.tsx')).Histogram }));
export const Calibration = lazy(async () => ({ default: (await import('./charts.tsx')).Calibration }));
export const DayLines = lazy(async () => ({ default: (await import('./charts.tsx')).DayLines }));
export const IntervalChart = lazy(async () => ({ default: (await import('./charts.tsx')).IntervalChart }));
export { ChartFigure } from './chart-figure.tsx';
