import { AgonError } from '@agonhq/engine/agon-error';
import { packageFolder } from '@agonhq/engine/package-folder';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Pages are drawn by the console's views, which nobody loads who asks for none; they say what they are. */
export async function loadReportViews(): Promise<unknown> {
  const file = path.join(packageFolder(import.meta.dirname), 'dist', 'report', 'render-report.js');
  if (!existsSync(file))
    throw new AgonError(
      'missing-report-views',
      `Agon's views of reports are not there: ${file}.`,
      'Install agon again; in a clone, run npm run build:report.',
    );
  return import(pathToFileURL(file).href);
}
