import { Option, type Command } from 'commander';
import type { AnalyzeFlags } from '../commands/analyze.ts';
import { collect, list, withDocuments, withRecord } from '../option-groups.ts';

export function addAnalyze(program: Command): void {
  withRecord(
    withDocuments(
      program
        .command('analyze')
        .summary('judge the claims of a report')
        .description(
          'Judge the claims of a report, or of several files as one dossier: verified-strong, supported, mixed, ' +
            'contradicted, unsupported or undecided, each after a debate that is on record, with every quotation ' +
            'checked and every number recomputed.',
        )
        .argument('[files...]', 'PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text or images; - for standard input')
        .option('--name <file>', 'what standard input is called: its extension says what it is')
        .option(
          '--factor <claim>',
          'a claim of your own to judge, instead of those of the report; may be given several times',
          collect,
        )
        .option('--max-factors <n>', 'at most so many claims (default: 12)')
        .addOption(
          new Option('--method <name>', 'how claims are judged (default: debate)').choices([
            'debate',
            'single',
            'vote',
            'control',
            'zero-shot',
          ]),
        )
        .option('--concurrency <n>', 'claims debated at once (default: 4)')
        .option('--json', 'print the whole debate trace as JSON')
        .option(
          '--report <file>',
          'write the debate trace as .html, .md or .json, or the decision brief as .pdf or .txt; "notice" prints ' +
            'the brief; may be given several times',
          collect,
        )
        .option(
          '--fail-on <labels>',
          'exit with 3 when a claim has one of these verdicts (contradicted, unsupported, …)',
          list,
        )
        .option('-q, --quiet', 'no progress, only the verdicts'),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon analyze report.pdf
  agon analyze report.pdf figures.xlsx notes.docx --report trace.html --report brief.pdf
  agon analyze report.pdf --factor "Marketing drove the growth in APAC" --factor "Margins rose"
  agon analyze report.pdf --json > trace.json && agon verify trace.json --source report.pdf
  cat sales.csv | agon analyze - --name sales.csv
  agon analyze report.pdf --fail-on contradicted,undecided && publish
  agon analyze report.pdf --debaters openai:gpt-4o-mini --synthesizer openai:gpt-4o --cache .agon-cache

All files of a call are one dossier, held against each other. For unrelated reports, call it for each:
  for file in reports/*.pdf; do agon analyze "$file" -q --report "\${file%.pdf}.trace.json"; done
`,
    )
    .action(async (files: string[], flags: AnalyzeFlags) => {
      const { analyzeCommand } = await import('../commands/analyze.ts');
      process.exitCode = await analyzeCommand(files, flags);
    });
}
