export {
  checkData,
  hasFindings,
  type CheckOptions,
  type Counted,
  type DataCheck,
  type Repeat,
  type SourceLeaks,
} from './check-data.ts';
export { checkFile, type CheckFileOptions, type FileCheck } from './check-file.ts';
export { leakageNotes, leakageOf, type Leak, type Leakage, type LeakSources } from './leakage.ts';
export { shippedTrainedOn, type TrainedOn } from './fingerprints.ts';
