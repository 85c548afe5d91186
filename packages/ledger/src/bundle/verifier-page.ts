import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { packageFolder } from '@agonhq/engine/package-folder';

/** The page that checks bundles in a browser, as it was built. */
export async function readVerifierPage(): Promise<string> {
  const file = path.join(packageFolder(import.meta.dirname), 'dist', 'console', 'verifier.html');
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new AgonError('missing-verifier', 'The verifier page was not built.', 'Run `npm run build`.', {
      cause: error,
    });
  });
}
