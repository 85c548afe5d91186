import type { Command } from 'commander';
import type { NamedBytes } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import type { Settings } from '../../settings/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addRecordFlags, collect, list } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines } from '../terminal/style.ts';
import { assertLabels } from './judge-one.ts';

interface AnalyzeFlags extends SettingsFlags {
  name?: string;
  factor?: string[];
  json?: boolean;
  report?: string[];
  failOn?: string[];
  quiet?: boolean;
}

/** `agon analyze` */
export function define(command: Command): void {
  command
    .description(
      'Judge the claims of a report, or of several files together: verified-strong, supported, mixed, contradicted, ' +
        'unsupported or undecided. Every claim is debated, every quotation is checked, every number is recomputed, ' +
        'and the debates are recorded.',
    )
    .argument('[files...]', 'PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text or images; - reads standard input')
    .option('--name <file>', 'file name of standard input; its extension tells the format')
    .option('--factor <claim>', 'judge this claim instead of those of the report (repeatable)', collect)
    .option('--json', 'print the complete debate trace as JSON')
    .option(
      '--report <file>',
      'write the debate trace as .html, .md or .json, or the decision brief as .pdf or .txt; "notice" prints the ' +
        'brief (repeatable)',
      collect,
    )
    .option('--fail-on <labels>', 'exit with code 3 if a claim has one of these verdicts: contradicted, …', list)
    .option('-q, --quiet', 'print only the verdicts');
  addSettingsFlags(command, { kind: 'judge', job: 'documents' });
  addRecordFlags(command);
  addExamples(
    command,
    [
      'agon analyze report.pdf',
      'agon analyze report.pdf figures.xlsx notes.docx --report trace.html --report brief.pdf',
      'agon analyze report.pdf --factor "Marketing drove the growth in APAC" --factor "Margins rose"',
      'agon analyze report.pdf --json > trace.json && agon verify trace.json --source report.pdf',
      'cat sales.csv | agon analyze - --name sales.csv',
      'agon analyze report.pdf --fail-on contradicted,undecided && publish',
      'agon analyze report.pdf --debaters openai:gpt-4o-mini --synthesizer openai:gpt-4o --cache .agon-cache',
    ],
    `All files of a call are analyzed together and checked against each other. For unrelated reports, use one call each:
  for file in reports/*.pdf; do agon analyze "$file" -q --report "\${file%.pdf}.trace.json"; done`,
  );
  setAction(command, analyze);
}

async function analyze(files: readonly string[], flags: AnalyzeFlags): Promise<number> {
  const { claimLabels, documentsJob } = await import('../../jobs/documents/index.ts');
  const { parseReportFormat } = await import('../../app/index.ts');
  const { openAgon } = await import('../open-agon.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const { renderAnalysis } = await import('../views/show-analysis.ts');
  const { watchAnalysis } = await import('../views/watch-analysis.ts');
  const { renderRecalled } = await import('../views/watch-debate.ts');
  const { writeReports } = await import('./write-reports.ts');
  assertUsage(files, flags);
  assertLabels(flags.failOn, claimLabels);
  flags.report?.forEach(parseReportFormat); // Before anything is paid for.
  const settings = await readJobSettings(flags, { kind: 'judge', job: 'documents' });
  const agon = await openAgon(settings, { jobs: ['documents'] });
  try {
    const silent = flags.json === true || flags.quiet === true || flags.report?.includes('notice') === true;
    const watched = await watchAnalysis(
      files,
      async (signal) =>
        agon.judge(documentsJob, await readDocuments(files, flags, settings, signal), {
          factors: flags.factor,
          signal,
        }),
      silent,
    );
    const { result: analysis } = watched;
    if (flags.json) process.stdout.write(`${JSON.stringify(analysis)}\n`);
    else if (!flags.report?.includes('notice'))
      printLines([...renderAnalysis(analysis, readableWidth(process.stdout)), ...renderRecalled(watched)]);
    await writeReports(analysis, { reports: flags.report ?? [] });
    return analysis.claims.some(({ verdict }) => flags.failOn?.includes(verdict.label))
      ? exitCodes.failOn
      : exitCodes.judged;
  } finally {
    await agon.close();
  }
}

async function readDocuments(
  files: readonly string[],
  { name }: AnalyzeFlags,
  settings: Settings,
  signal: AbortSignal,
): Promise<(string | NamedBytes)[]> {
  return Promise.all(files.map(async (file) => (file === '-' ? readStandardInput(name!, settings, signal) : file)));
}

async function readStandardInput(name: string, { documents }: Settings, signal: AbortSignal): Promise<NamedBytes> {
  const { limitsFrom } = await import('../../jobs/documents/index.ts');
  const { assertFileSize } = await import('../../jobs/documents/ingest/index.ts');
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

function assertUsage(files: readonly string[], flags: AnalyzeFlags): void {
  if (files.length === 0)
    throw new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Name a file: agon analyze report.pdf; `agon analyze --help` has examples.',
    );
  const piped = files.filter((file) => file === '-').length;
  if (piped > 1) throw new AgonError('bad-flag', 'Standard input is given more than once.', 'Write - only once.');
  if (piped === 1 && flags.name === undefined)
    throw new AgonError(
      'bad-flag',
      'Standard input needs a file name.',
      'Add --name, for its format: agon analyze - --name report.csv.',
    );
  if (piped === 0 && flags.name !== undefined)
    throw new AgonError(
      'bad-flag',
      '--name is only for standard input.',
      'Write - for standard input: agon analyze - --name report.csv.',
    );
  if (flags.json && flags.report?.includes('notice'))
    throw new AgonError(
      'bad-flag',
      '--json and --report notice both print to standard output.',
      'Write the brief to a file: --report brief.txt.',
    );
  if (flags.factor?.some((factor) => factor.trim() === ''))
    throw new AgonError('bad-flag', '--factor is empty.', 'Write the claim to judge: --factor "Margins rose in 2024".');
}
