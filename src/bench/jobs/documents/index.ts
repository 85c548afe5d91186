export {
  readClaimData,
  type ClaimData,
  type ClaimDataOptions,
  claimClasses,
  type ClaimClass,
  type ClaimNaming,
  type LabelledClaim,
} from './labelled-claim.ts';
export {
  openClaimResults,
  type ClaimResults,
  type JudgedClaim,
  runClaims,
  type ClaimRun,
  type ClaimSystem,
} from './run-claims.ts';
export { buildDocumentsReport, type DocumentsReport, type DocumentsSystemReport } from './report.ts';
