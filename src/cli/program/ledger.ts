import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CasesFlags } from '../commands/cases.ts';
import type { ExportFlags, ForgetFlags, PruneFlags, StatsFlags } from '../commands/ledger.ts';
import { positive, withLedger } from '../option-groups.ts';

/** Past cases, and the database that holds them. */
export function addLedger(program: Command): void {
  addCases(program);
  const ledger = program
    .command('ledger')
    .summary('look after the database of record')
    .description('Look after the ledger: count, save, take in, and take away.');

  withPlace(ledger.command('stats').description('Count what the ledger holds.'))
    .option('--json', 'print the figures as JSON')
    .action(async (flags: StatsFlags) => {
      const { statsCommand } = await import('../commands/ledger.ts');
      process.exitCode = await statsCommand(flags);
    });

  withPlace(
    ledger
      .command('export')
      .description(
        'Write everything as lines of JSON, as `import` reads them. Vectors are left out: they are made again.',
      ),
  )
    .option('--out <file.jsonl>', 'where they go (default: standard output)')
    .addHelpText(
      'after',
      '\nExamples:\n  agon ledger export --out ledger.jsonl\n  agon ledger export | gzip > ledger.jsonl.gz\n  ' +
        'agon ledger export | agon ledger import - --ledger postgres://agon@db/agon\n',
    )
    .action(async (flags: ExportFlags) => {
      const { exportCommand } = await import('../commands/ledger.ts');
      process.exitCode = await exportCommand(flags);
    });

  withPlace(
    ledger
      .command('import')
      .description('Take in what `export` wrote, all or nothing; what is here already stays as it is.')
      .argument('<file.jsonl>', 'an export; - for standard input'),
  )
    .option('--json', 'print what was taken in as JSON')
    .action(async (file: string, flags: StatsFlags) => {
      const { importCommand } = await import('../commands/ledger.ts');
      process.exitCode = await importCommand(file, flags);
    });

  withPlace(ledger.command('prune').description('Take away what was last touched before a moment.'))
    .requiredOption('--before <moment>', 'so long ago (90d, 12h, 8w), or a date')
    .addOption(
      new Option(
        '--what <what>',
        'contents: what was judged and said, while verdict, seal and decisions stay; cases: everything about ' +
          'them; cache: answers of models; unfinished: cases without a verdict',
      )
        .choices(['contents', 'cases', 'cache', 'unfinished'])
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'only say what would be taken away')
    .option('--yes', 'do not ask')
    .option('--json', 'print what was taken away as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agon ledger prune --before 90d --what contents --dry-run\n  agon ledger prune --before ' +
        '2026-01-01 --what cases --yes\n',
    )
    .action(async (flags: PruneFlags) => {
      const { pruneCommand } = await import('../commands/ledger.ts');
      process.exitCode = await pruneCommand(flags);
    });

  withPlace(
    ledger
      .command('forget')
      .description(
        'Take away what a case judged, what was said about it and what was learnt from it, in every case about ' +
          'the same content. Verdict, seal and decisions stay.',
      )
      .argument('<id>', 'the id of a case, or the hash of what was judged (sha256:…)'),
  )
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExamples:\n  agon ledger forget mod-315703c5ee85a07c\n  agon ledger forget sha256:9f2c… --yes\n',
    )
    .action(async (id: string, flags: ForgetFlags) => {
      const { forgetCommand } = await import('../commands/ledger.ts');
      process.exitCode = await forgetCommand(id, flags);
    });
}

function addCases(program: Command): void {
  withPlace(
    program
      .command('cases')
      .summary('list past cases')
      .description('List past cases, the newest first.')
      .option('--label <label>', 'only those with this verdict')
      .addOption(new Option('--job <job>', 'only those of this job').choices(['moderation', 'evaluation', 'documents']))
      .option('--category <id>', 'only those under this category or clause')
      .addOption(
        new Option('--modality <modality>', 'only those of this modality').choices([
          'text',
          'image',
          'text+image',
          'documents',
        ]),
      )
      .option('--run <id>', 'only those of this run')
      .option('--model <provider:model>', 'only those in which this model sat in a seat')
      .option('--min-disagreement <degree>', 'only those whose two sides ended at least so far apart, 0 to 1', degree)
      .option('--max-confidence <degree>', 'only those whose judge was so sure at most, 0 to 1', degree)
      .option('--search <words>', 'only those whose first words hold these')
      .option('--since <moment>', 'only those since a date, or so long ago (7d, 12h)')
      .option('--until <moment>', 'only those before it')
      .option('--escalated', 'only those that a person should look at')
      .option('--degraded', 'only those in which something could not be done as it should')
      .option('--unfinished', 'only those without a verdict yet')
      .option('--limit <n>', 'at most so many', positive, 20)
      .option('--json', 'print one JSON object a line'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon cases --label unsafe --since 7d\n  agon cases --search "process linux" --json\n  agon ' +
        'cases --escalated --limit 100\n  agon cases --max-confidence 0.6 --min-disagreement 0.3\n',
    )
    .action(async (flags: CasesFlags) => {
      const { casesCommand } = await import('../commands/cases.ts');
      process.exitCode = await casesCommand(flags);
    });
}

function withPlace(command: Command): Command {
  return withLedger(command).option(
    '--config <file>',
    'a configuration file (default: agon.config.ts, .js, .json or .yaml here)',
  );
}

function degree(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError('Give a number from 0 to 1.');
  return number;
}
