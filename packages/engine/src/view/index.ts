export {
  baselines,
  describeDegradation,
  groupDegradations,
  describeFailure,
  describeLabel,
  describeReliability,
  describeStop,
  findWords,
  formatCount,
  formatDollars,
  formatPercent,
  formatPlural,
  formatScore,
  formatSeconds,
  formatSpan,
  nameRule,
  nameSeat,
  nameSpeaker,
  showControls,
  showPhrase,
  type Phrase,
} from './describe.ts';
export { describePersonal, listDisclosed } from './describe-disclosure.ts';
export { findMoment, type FoundMoment } from './find-moment.ts';
export { type LadderStep, type Ladder, listSteps } from './ladder.ts';
export { describeRisk, viewRisk, viewScore, viewVerdictRisk, type RiskView } from './risk.ts';
export {
  collectCitations,
  findPassages,
  type Citations,
  type CitedPassage,
  type PassageWords,
  type Quoter,
  type Side,
} from './citations.ts';
export {
  viewDebate,
  type DebateTerms,
  type DebateView,
  type RoundView,
  type RuleTerms,
  type TurnView,
} from './debate-view.ts';
export {
  readDistribution,
  readFindings,
  readStance,
  toRecord,
  toText,
  toTexts,
  type ShownDistribution,
  type ReadFinding,
  type Stance,
} from './read-turn.ts';
export { actionIds, defaultActions, describeAction, nameAction } from '../policy/known-actions.ts';
export { renderCurl } from './render-curl.ts';
