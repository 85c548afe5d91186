import type { NamedBytes } from '../../jobs/index.ts';
import { documentsJob, claimLabels, limitsFrom } from '../../jobs/documents/index.ts';
import { assertFileSize } from '../../jobs/documents/ingest/index.ts';
import { AgonError } from '../../errors.ts';
import { reportFormatOf } from '../../reports/index.ts';
import type { Settings } from '../../settings/index.ts';
import { renderAnalysis } from '../views/show-analysis.ts';
import { watchAnalysis } from '../views/watch-analysis.ts';
import { renderRecalled } from '../views/watch-debate.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { exitCodes } from '../print-error.ts';
import { openAgon } from '../open-agon.ts';
import { readDocumentsSettings, type DocumentsSettingsFlags } from '../settings-flags.ts';
import { printLines } from '../terminal/style.ts';
import { writeReports } from '../judge/write-reports.ts';

/** The flags of `agon analyze`, as commander hands them over. */
export interface AnalyzeFlags extends DocumentsSettingsFlags {
  name?: string;
  factor?: string[];
  json?: boolean;
  report?: string[];
  failOn?: string[];
  quiet?: boolean;
}

/** `agon analyze`: returns the exit code. */
export async function analyzeCommand(files: readonly string[], flags: AnalyzeFlags): Promise<number> {
  const wrong = usageProblem(files, flags);
  if (wrong) throw wrong;
  flags.report?.forEach(reportFormatOf); // Before anything is paid for.
  const settings = await readDocumentsSettings(flags);
  const agon = await openAgon(settings, { jobs: ['documents'] });
  try {
    const silent = flags.json === true || flags.quiet === true || flags.report?.includes('notice') === true;
    const heard = await watchAnalysis(
      files,
      async (signal) =>
        agon.judge(documentsJob, await documentsFrom(files, flags, settings, signal), {
          factors: flags.factor,
          signal,
        }),
      silent,
    );
    const { result: analysis } = heard;
    if (flags.json) process.stdout.write(`${JSON.stringify(analysis)}\n`);
    else if (!flags.report?.includes('notice'))
      printLines([...renderAnalysis(analysis, readableWidth(process.stdout)), ...renderRecalled(heard)]);
    await writeReports(analysis, { reports: flags.report ?? [] });
    return analysis.claims.some(({ verdict }) => flags.failOn?.includes(verdict.label))
      ? exitCodes.failOn
      : exitCodes.judged;
  } finally {
    await agon.close();
  }
}

async function documentsFrom(
  files: readonly string[],
  { name }: AnalyzeFlags,
  settings: Settings,
  signal: AbortSignal,
): Promise<(string | NamedBytes)[]> {
  return Promise.all(files.map(async (file) => (file === '-' ? standardInput(name!, settings, signal) : file)));
}

async function standardInput(name: string, { documents }: Settings, signal: AbortSignal): Promise<NamedBytes> {
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    assertFileSize(name, size, limitsFrom(documents?.limits));
  }
  return { name, bytes: Buffer.concat(chunks) };
}

function usageProblem(files: readonly string[], flags: AnalyzeFlags): AgonError | null {
  if (files.length === 0)
    return new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Name a file: agon analyze report.pdf; `agon analyze --help` has examples.',
    );
  const unknown = flags.failOn?.find((label) => !(claimLabels as readonly string[]).includes(label));
  if (unknown)
    return new AgonError(
      'bad-flag',
      `--fail-on ${unknown}: there is no such verdict.`,
      `Verdicts are ${claimLabels.join(', ')}.`,
    );
  const piped = files.filter((file) => file === '-').length;
  if (piped > 1) return new AgonError('bad-flag', 'Standard input was given more than once.', 'Write - once.');
  if (piped === 1 && flags.name === undefined)
    return new AgonError(
      'bad-flag',
      'Standard input has no name.',
      'Say what it is called: agon analyze - --name report.csv.',
    );
  if (piped === 0 && flags.name !== undefined)
    return new AgonError(
      'bad-flag',
      '--name goes with standard input.',
      'Write - for standard input: agon analyze - --name report.csv.',
    );
  if (flags.json && flags.report?.includes('notice'))
    return new AgonError(
      'bad-flag',
      '--json and --report notice both print to standard output.',
      'Give the brief a file: --report brief.txt.',
    );
  const empty = flags.factor?.find((factor) => factor.trim() === '');
  return empty === undefined
    ? null
    : new AgonError('bad-flag', '--factor is empty.', 'Write the claim to judge: --factor "Margins rose in 2024".');
}
