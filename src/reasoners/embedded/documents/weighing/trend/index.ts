export { weighTrends } from './weigh-trends.ts';
