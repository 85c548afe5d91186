import type { Command } from 'commander';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import { claimLabels, documentsJob } from '@agonhq/documents';
import type { NamedBytes } from '@agonhq/judges/job';
import type { Settings } from '@agonhq/core/settings';
import {
  addEmptyFlag,
  addExamples,
  setAction,
  addRecordFlags,
  collect,
  list,
  addRunFlags,
  type RunFlags,
} from '../define-command.ts';
import { assertLabels } from '../read-flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { contextOption, parseContextFlags } from './context-flags.ts';
import type { OneFlags } from './judge-one.ts';

interface AnalyzeFlags extends OneFlags {
  name?: string;
  factor?: string[];
  context?: string[];
}

/** `agon analyze` */
export function defineAnalyze(command: Command): void {
  command
    .description(
      'Judge the claims of a report, or of several files together: verified-strong, supported, mixed, contradicted, ' +
        'unsupported or undecided. Every claim is debated, every quotation is checked, every number is recomputed, ' +
        'and the debates are recorded.',
    )
    .argument('[files...]', 'PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text or images; - reads standard input')
    .option('--name <file>', 'file name of standard input; its extension tells the format')
    .option('--factor <claim>', 'judge this claim instead of those of the report (repeatable)', collect)
    .option(...contextOption)
    .option('--json', 'print the complete debate trace as JSON')
    .option(
      '--report <file>',
      'write the debate trace as .html, .md or .json, the decision brief as .pdf or .txt, the findings as .xlsx or ' +
        '.csv, a copy of the PDF with the findings in its margin as annotated.pdf; "notice" prints the brief ' +
        '(repeatable)',
      collect,
    )
    .option('--fail-on <labels>', 'exit with code 3 if a claim has one of these verdicts: contradicted, …', list)
    .option('-q, --quiet', 'print only the verdicts');
  addEmptyFlag(command);
  addSettingsFlags(command, { kind: 'judge', job: documentsJob });
  addRecordFlags(command);
  addExamples(
    command,
    [
      'agon analyze report.pdf',
      'agon analyze report.pdf figures.xlsx notes.docx --report trace.html --report brief.pdf',
      'agon analyze report.pdf --report annotated.pdf --report findings.xlsx',
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
  assertUsage(files, flags);
  assertLabels(flags.failOn, claimLabels);
  const { judgeOne } = await import('./judge-one.ts');
  const context = flags.context && parseContextFlags(flags.context);
  let documents: (string | NamedBytes)[] = [];
  return judgeOne(documentsJob, flags, {
    names: files,
    findSource: (hash) => findSource(documents, hash),
    start: (agon, settings) =>
      async function* ({ signal }) {
        documents = await readDocuments(files, flags, settings, signal);
        return yield* agon.judge(documentsJob, documents, { factors: flags.factor, context, signal });
      },
  });
}

/** One of the files that were judged; null where it was changed meanwhile. */
async function findSource(documents: readonly (string | NamedBytes)[], hash: string): Promise<Uint8Array | null> {
  const { readFile } = await import('node:fs/promises');
  for (const document of documents) {
    const bytes = typeof document === 'string' ? await readFile(document) : document.bytes;
    if (sha256(bytes) === hash) return bytes;
  }
  return null;
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
  const { limitsFrom } = await import('@agonhq/documents');
  const { assertFileSize } = await import('@agonhq/engine/items');
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
  if (piped > 1) throw badFlag('Standard input is given more than once.', 'Write - only once.');
  if (piped === 1 && flags.name === undefined)
    throw badFlag('Standard input needs a file name.', 'Add --name, for its format: agon analyze - --name report.csv.');
  if (piped === 0 && flags.name !== undefined)
    throw badFlag(
      '--name is only for standard input.',
      'Write - for standard input: agon analyze - --name report.csv.',
    );
  if (flags.factor?.some((factor) => factor.trim() === ''))
    throw badFlag('--factor is empty.', 'Write the claim to judge: --factor "Margins rose in 2024".');
}

/** `agon run documents` */
export function defineRunDocuments(command: Command): void {
  command.description('Judge the claims of many reports. The files of one item are analyzed together.');
  addRunFlags(command, {
    fields: '"id", "file" or "files" that belong together, "claims" of your own; or just one path per line',
    map: 'file=path',
    labels: 'good=positive,bad=negative',
    root: 'document',
  });
  addSettingsFlags(command, { kind: 'run', job: documentsJob });
  addExamples(command, [
    'agon run documents --file reports.jsonl --out results.jsonl',
    'ls reports/*.pdf | agon run documents --file -',
  ]);
  setAction(command, async (flags: RunFlags) => (await import('../runs/start-run.ts')).runJob(documentsJob, flags));
}
