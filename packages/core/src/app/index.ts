export { createAgon, withVerbs, type Agon } from './create-agon.ts';
export { openDocumentReaders, type DocumentReaders } from './document-readers.ts';
export { readDocument, readDossier, type ReadFilesOptions } from './read-files.ts';
export { listModels, type ListedModel } from './list-models.ts';
export { listNamedModels, tryModel, type NamedModel } from './try-model.ts';
export { openLedgerCache, openPrecedents, reportEmbedding, type AgonParts, type Precedents } from '../kits/index.ts';
export { openCurator, openLearning, type Curator, type Learning } from './open-learning.ts';
export {
  isTextFormat,
  parseReportFormat,
  renderReport,
  renderReportFile,
  requireReportFile,
  type ReportFormat,
  type TextFormat,
} from './render-report.ts';
export { findJobVerifier } from './verify-bundled.ts';
export { watchStandstill, type StandstillLimits } from './watch-standstill.ts';
export { isJobModule, loadJobs } from './load-jobs.ts';
