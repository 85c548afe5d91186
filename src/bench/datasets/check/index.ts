export {
  checkDataset,
  hasFindings,
  type CheckOptions,
  type Counted,
  type DataCheck,
  type Repeat,
  type SourceLeaks,
} from './check-data.ts';
export { checkFile, type CheckFileOptions, type FileCheck } from './check-file.ts';
export { describeLeakage, findLeakage, type Leak, type Leakage, type LeakSources } from './leakage.ts';
export { loadTrainingFingerprints, type TrainingFingerprints } from './fingerprints.ts';
