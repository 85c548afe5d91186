import type { Command } from 'commander';
import { listModels, type ListedModel } from '@agonhq/core/app';
import { addExamples, setAction } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { printCount, printMegabytes } from '../terminal/format.ts';
import { printLines, style } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';

/** `agon models` */
export function defineModels(command: Command): void {
  command
    .description(
      'List the models: those that ship with Agon and those that were or can be added. What each is for, its size ' +
        'and licence, and whether every file is the right one (by SHA-256). Nothing is fetched.',
    )
    .option('--json', 'print the models and their files as JSON');
  addExamples(
    command,
    ['agon models', 'agon models --json', 'agon add whisper', 'agon models add hf:owner/repository/model-Q4_K_M.gguf'],
    'Exit codes: 0 all files are as they should be, 1 a file is missing or was altered.',
  );
  setAction(command, listAll);
}

async function listAll({ json }: { json?: boolean }): Promise<number> {
  const models = await listModels(process.env);
  const broken = models.filter(({ state }) => state !== 'there' && state !== 'not-added');
  if (json) printLines([JSON.stringify({ version: 1, whole: broken.length === 0, models })]);
  else {
    const width = Math.max(...models.map(({ id }) => id.length));
    for (const model of models) printLines(renderModel(model, width));
    const parts = broken.flatMap(({ part }) => part ?? []);
    if (parts.length > 0)
      printLines([style('dim', `Add it again: agon remove ${parts.join(' ')} && agon add ${parts.join(' ')}`)]);
    if (broken.length > parts.length)
      printLines([style('dim', 'Install agon again: a part of the package is missing or was changed.')]);
  }
  return broken.length === 0 ? exitCodes.judged : exitCodes.failed;
}

const marks = { there: ['green', '✓'], 'not-added': ['yellow', '–'] } as const;

function renderModel({ id, part, purpose, licence, bytes, state, files }: ListedModel, width: number): string[] {
  const [colour, sign] = state === 'there' || state === 'not-added' ? marks[state] : (['red', '✗'] as const);
  const size = files.length === 0 ? [] : [`${printMegabytes(bytes)} in ${printCount(files.length, 'file')}`];
  const wrong = files.filter((file) => file.state !== 'there').map((file) => `${file.path} is ${file.state}`);
  const lacking = state === 'not-added' ? [`agon add ${part}`] : wrong;
  return formatRow(`${style(colour, sign)} ${id.padEnd(width)}  `, [purpose, ...size, licence, ...lacking].join(' · '));
}
