import path from 'node:path';
import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addJudgeFlags, collect } from '../flags.ts';
import { countLines, readStandardInput } from '../read-input.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import type { ManyFlags } from './judge-items.ts';
import { assertLabels, assertOneOutput, type OneFlags } from './judge-one.ts';

interface ModerateFlags extends SettingsFlags, OneFlags, ManyFlags {
  image?: string[];
  imageDescription?: string[];
  stdin?: boolean;
  file?: string;
  root?: string;
  appeal?: string;
}

/** `agon moderate` */
export function define(command: Command): void {
  command
    .description(
      'Judge a text, an image, or a text with images by debate: safe, unsafe or undecided. The debate is recorded.',
    )
    .argument('[text]', 'text to judge')
    .option('--image <file>', 'image to judge (repeatable)', collect)
    .option('--image-description <text>', 'description to judge instead of an image (repeatable)', collect)
    .option('--stdin', 'read the text from standard input')
    .option(
      '--file <items.jsonl>',
      'judge many items, one JSON object per line ("id", "text", "image", "image_description"); - reads standard input',
    )
    .option('--root <folder>', 'folder that image paths in --file are relative to (default: the folder of --file)')
    .option('--appeal <text>', 'how to appeal, for the notice');
  addJudgeFlags(command, {
    notice: 'a statement of reasons for the affected user',
    labels: 'safe, unsafe, undecided',
  });
  addSettingsFlags(command, { kind: 'judge', job: 'moderation' });
  addExamples(command, [
    'agon moderate "How do I kill a process on Linux?"',
    'agon moderate --image poster.png --report poster.html',
    'cat post.txt | agon moderate --stdin --json',
    'agon moderate --file items.jsonl --out results.jsonl --concurrency 16',
    'agon moderate "…" --model ollama:llama3.1 --rounds 1',
    'agon moderate "…" --preset paper --without retrieval',
    'agon moderate "…" --fail-on unsafe,undecided && deploy',
  ]);
  setAction(command, moderate);
}

async function moderate(text: string | undefined, flags: ModerateFlags): Promise<number> {
  assertUsage(text, flags);
  return flags.file === undefined ? moderateOne(text, flags) : moderateFile(flags.file, flags);
}

function assertUsage(text: string | undefined, flags: ModerateFlags): void {
  assertLabels(flags.failOn, ['safe', 'unsafe', 'undecided']);
  const one = text !== undefined || flags.stdin || flags.image || flags.imageDescription;
  if (flags.file !== undefined && (one || flags.report)) {
    throw new AgonError(
      'bad-flag',
      '--file cannot be combined with a text, --stdin, --image or --report.',
      'Put everything in the file, or judge one subject at a time.',
    );
  }
  assertOneOutput(flags);
  if (text !== undefined && flags.stdin)
    throw new AgonError('bad-flag', 'A text cannot be combined with --stdin.', 'Use one of them.');
  if (!one && flags.file === undefined) {
    throw new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Pass a text, --image FILE, --stdin or --file items.jsonl; `agon moderate --help` has examples.',
    );
  }
}

async function moderateOne(text: string | undefined, flags: ModerateFlags): Promise<number> {
  const { moderationJob } = await import('../../jobs/moderation/index.ts');
  const { parseTextFormat } = await import('../../app/index.ts');
  const { openAgon } = await import('../open-agon.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const { renderModeration } = await import('../views/show-moderation.ts');
  const { renderVerdict } = await import('../views/show-verdict.ts');
  const { judgeOne } = await import('./judge-one.ts');
  const { writeReports } = await import('./write-reports.ts');
  flags.report?.forEach(parseTextFormat); // Before anything is paid for.
  const content = await readContent(text, flags);
  const agon = await openAgon(await readJobSettings(flags, { kind: 'judge', job: 'moderation' }), {
    jobs: ['moderation'],
  });
  try {
    return await judgeOne(flags, {
      trial: (options) => agon.judge(moderationJob, content, options),
      blocks: renderModeration,
      verdict: (answer, columns) => renderVerdict(answer, columns),
      report: (answer) =>
        writeReports(answer, {
          reports: flags.report ?? [],
          images: flags.image ?? [],
          policy: agon.policy,
          appeal: flags.appeal,
        }),
    });
  } finally {
    await agon.close();
  }
}

async function readContent(text: string | undefined, flags: ModerateFlags): Promise<Content> {
  const given = flags.stdin ? await readStandardInput() : text;
  const images = [
    ...(flags.image ?? []).map((file) => ({ file })),
    ...(flags.imageDescription ?? []).map((description) => ({ description })),
  ];
  return { ...(given === undefined ? {} : { text: given }), ...(images.length > 0 ? { images } : {}) };
}

async function moderateFile(file: string, flags: ModerateFlags): Promise<number> {
  const { readItemLines, openLines } = await import('../../items/index.ts');
  const { moderationJob, readLabelledItem } = await import('../../jobs/moderation/index.ts');
  const { createRunId, openAgon, recordRun } = await import('../open-agon.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const { startLearning } = await import('../learning/start-learning.ts');
  const { judgeItems } = await import('./judge-items.ts');
  const { openLabelNotes } = await import('./record-labels.ts');
  const root = flags.root ?? (file === '-' ? process.cwd() : path.dirname(file));
  const input = await openLines(file);
  const settings = await readJobSettings(flags, { kind: 'judge', job: 'moderation' });
  const run = createRunId();
  const agon = await openAgon(settings, { jobs: ['moderation'], occasion: { run } });
  const labels = openLabelNotes(agon.ledger, file);
  try {
    const { configuration } = agon.provenanceOf(moderationJob);
    const code = await recordRun(agon.ledger, { id: run, job: 'moderation', configuration, input: file }, async () =>
      judgeItems(flags, {
        items: readItemLines(input, (value) => readLabelledItem(value, root)),
        total: file === '-' ? undefined : await countLines(file),
        configuration,
        judge: async ({ content, label }, signal) => {
          const answer = await agon.moderate(content, { signal });
          await labels.note(answer, label);
          return answer;
        },
        spent: () => agon.spent(),
      }),
    );
    const started = labels.wrong() > 0 ? await startLearning(settings, flags) : null;
    const notes = [labels.words(), started].filter(Boolean);
    if (notes.length > 0 && !flags.quiet) process.stderr.write(`${notes.join(' ')}\n`);
    return code;
  } finally {
    input.destroy();
    await agon.close();
  }
}
