export { contentAsText } from './dialogue.ts';
export type { ExternalJob, ExternalJudgement, ExternalSystem, Subjects } from './external-system.ts';
export {
  externalSystems,
  isExternalSystem,
  openExternalSystem,
  type ExternalSystemOptions,
} from './open-external-system.ts';
export {
  openClaimPredictions,
  openSafetyPredictions,
  predictedSystem,
  type Prediction,
  type Predictions,
} from './predictions.ts';
