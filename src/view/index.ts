export {
  describeLabel,
  nameRule,
  describeOutcome,
  describeDegradation,
  describeStop,
  describeFailure,
  nameSeat,
  nameSpeaker,
  formatCount,
  formatPlural,
  formatScore,
  formatPercent,
  formatSeconds,
  formatDollars,
  showControls,
} from './describe.ts';
export { type Step, type Ladder, listSteps } from './ladder.ts';
