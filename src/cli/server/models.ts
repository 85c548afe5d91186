import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { formatCount, formatInteger } from '../terminal/format.ts';
import { printLines, style } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';
import { listModels, type ShippedModel } from './list-models.ts';

/** `agon models` */
export function defineModels(command: Command): void {
  command
    .description(
      'List the models that ship with Agon: what each is for, its size and licence, and whether every file is the ' +
        'one that was shipped (by SHA-256). Nothing is fetched.',
    )
    .option('--json', 'print the models and their files as JSON');
  addExamples(
    command,
    ['agon models', 'agon models --json'],
    'Exit codes: 0 all files are as shipped, 1 a file is missing or was altered.',
  );
  setAction(command, listAll);
}

async function listAll({ json }: { json?: boolean }): Promise<number> {
  const models = await listModels();
  const whole = models.every(({ state }) => state === 'there');
  if (json) printLines([JSON.stringify({ version: 1, whole, models })]);
  else {
    const width = Math.max(...models.map(({ id }) => id.length));
    for (const model of models) printLines(renderModel(model, width));
    if (!whole) printLines([style('dim', 'Install agon again: a part of the package is missing or was changed.')]);
  }
  return whole ? exitCodes.judged : exitCodes.failed;
}

function renderModel({ id, purpose, licence, bytes, state, files }: ShippedModel, width: number): string[] {
  const mark = state === 'there' ? style('green', '✓') : style('red', '✗');
  const size = `${formatInteger(Math.round(bytes / 1e6))} MB in ${formatCount(files.length, 'file')}`;
  const wrong = files.filter((file) => file.state !== 'there').map((file) => `${file.path} is ${file.state}`);
  return formatRow(`${mark} ${id.padEnd(width)}  `, [purpose, size, licence, ...wrong].join(' · '));
}
