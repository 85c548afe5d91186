import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { printLines, style } from '../terminal/style.ts';

/** `agon bench datasets` */
export function define(command: Command): void {
  command
    .description('List the formats of labelled data that Agon reads, or check a file before it is measured on.')
    .option('--json', 'print the formats as JSON');
  addExamples(command, ['agon bench datasets', 'agon bench datasets check items.jsonl']);
  setAction(command, printFormats);
}

async function printFormats({ json }: { json?: boolean }): Promise<number> {
  const { listFormats } = await import('../../bench/index.ts');
  const formats = listFormats().map(({ format: { name, description, source, columns }, jobs }) => ({
    name,
    jobs,
    description,
    source,
    columns,
  }));
  printLines(
    json
      ? [JSON.stringify({ version: 1, formats })]
      : formats.flatMap(({ name, jobs, description, source, columns }) => [
          `${style('cyan', name)}  ${style('dim', jobs.join(', '))}`,
          `  ${description}`,
          `  ${style('dim', 'from')}    ${source}`,
          `  ${style('dim', 'columns')} ${columns}`,
        ]),
  );
  return exitCodes.judged;
}
