export type { FindVerifier } from './check-case.ts';
export type { AnsweredCase } from './collect-case.ts';
export { bundleCase, nameBundle, nameCase } from './make-bundle.ts';
export { bundleRun } from './make-run-bundle.ts';
export { readPublicKeys } from './public-key.ts';
export { readOpening, type RedactedOpening } from './redact.ts';
export {
  installSigningKey,
  keepPublicKeys,
  listPublicKeys,
  openSigningKey,
  readPrivateKey,
  rotateSigningKey,
} from './signing-key.ts';
export { verifyBundle, type BundleReport } from './verify-bundle.ts';
export { readVerifierPage } from './verifier-page.ts';
