export { readClaimData, type ClaimData, type ClaimDataOptions } from './claim-data.ts';
export { openClaimResults, type ClaimResults, type JudgedClaim } from './claim-results.ts';
export { claimClasses, type ClaimClass, type ClaimNaming, type LabelledClaim } from './labelled-claim.ts';
export { buildDocumentsReport, type DocumentsReport, type DocumentsSystemReport } from './report.ts';
export { runClaims, type ClaimRun, type ClaimSystem } from './run-claims.ts';
