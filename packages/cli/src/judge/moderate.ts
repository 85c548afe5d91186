import type { Command } from 'commander';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { moderationJob, type Content } from '@agonhq/judges/moderation';
import {
  addExamples,
  setAction,
  addItemsFlags,
  addJudgeFlags,
  collect,
  addCascadeFlags,
  addRunFlags,
  type RunFlags,
} from '../define-command.ts';
import { contextOption, readContextFlags } from './context-flags.ts';
import { readTyped } from '../files.ts';
import { assertLabels } from '../read-flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import type { FileFlags } from './judge-file.ts';
import type { OneFlags } from './judge-one.ts';

interface ModerateFlags extends OneFlags, FileFlags {
  image?: string[];
  imageDescription?: string[];
  audio?: string[];
  video?: string[];
  stdin?: boolean;
  context?: string[];
  appeal?: string;
}

/** `agon moderate` */
export function defineModerate(command: Command): void {
  command
    .description(
      'Judge a text, images, a voice message or a film, alone or together, by debate: safe, unsafe or undecided. ' +
        'The debate is recorded.',
    )
    .argument('[text]', 'text to judge; - reads standard input')
    .option('--image <file>', 'image to judge (repeatable)', collect)
    .option('--image-description <text>', 'description to judge instead of an image (repeatable)', collect)
    .option(
      '--audio <file>',
      'recording to judge by what is said in it: wav, mp3, m4a, ogg, flac (repeatable)',
      collect,
    )
    .option('--video <file>', 'film to judge by its frames and what is said: mp4, mov, webm (repeatable)', collect)
    .option(...contextOption)
    .option('--stdin', 'read the text from standard input')
    .option(
      '--file <items.jsonl>',
      'judge many items, one JSON object per line ("id", "text", "image", "image_description", "audio", "video", ' +
        '"context"); ' +
        '- reads standard input',
    )
    .option('--appeal <text>', 'how to appeal, for the notice');
  addItemsFlags(command, { map: 'text=comment,label=is_toxic', labels: 'hateful=unsafe,fine=safe', root: 'image' });
  addJudgeFlags(command, {
    notice: 'a statement of reasons for the affected user',
    labels: 'safe, unsafe, undecided',
  });
  addSettingsFlags(command, { kind: 'judge', job: moderationJob });
  addExamples(command, [
    'agon moderate "How do I kill a process on Linux?"',
    'agon moderate --image poster.png --report poster.html',
    'agon moderate --audio voice.mp3',
    'agon moderate "Look at this" --video clip.mp4 --report clip.html',
    'agon moderate "Call me" --context author=user-4711 --context channel=classifieds --show-context channel',
    'cat post.txt | agon moderate - --json',
    'agon moderate --file items.jsonl --out results.jsonl --concurrency 16',
    'agon moderate "…" --model ollama:llama3.1 --rounds 1',
    'agon moderate "…" --preset paper --without retrieval',
    'agon moderate "…" --fail-on unsafe,undecided && deploy',
  ]);
  setAction(command, moderate);
}

async function moderate(text: string | undefined, flags: ModerateFlags): Promise<number> {
  assertUsage(text, flags);
  if (flags.file !== undefined) {
    const { judgeFile } = await import('./judge-file.ts');
    return judgeFile(moderationJob, 'moderate', { ...flags, file: flags.file });
  }
  const { judgeOne } = await import('./judge-one.ts');
  const content = await readContent(text, flags);
  return judgeOne(moderationJob, flags, {
    start: (agon) => (options) => agon.judge(moderationJob, content, options),
    images: flags.image,
    recordings: Object.fromEntries([
      ...(flags.audio ?? []).map((file, index) => [`audio-${index + 1}`, file]),
      ...(flags.video ?? []).map((file, index) => [`video-${index + 1}`, file]),
    ]),
    appeal: flags.appeal,
  });
}

function assertUsage(text: string | undefined, flags: ModerateFlags): void {
  assertLabels(flags.failOn, moderationJob.labels);
  const one = text !== undefined || flags.stdin || flags.image || flags.imageDescription || flags.audio || flags.video;
  if (flags.file !== undefined && one) {
    throw badFlag(
      '--file cannot be combined with a text, --stdin, --image, --audio or --video.',
      'Put everything in the file, or judge one subject at a time.',
    );
  }
  if (flags.out !== undefined && flags.file === undefined)
    throw badFlag('--out needs --file.', 'For one subject, use --report answer.json or --json.');
  if (text !== undefined && flags.stdin) throw badFlag('A text cannot be combined with --stdin.', 'Use one of them.');
  if (!one && flags.file === undefined) {
    throw new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Pass a text, --image, --audio or --video FILE, --stdin or --file items.jsonl; `agon moderate --help` has ' +
        'examples.',
    );
  }
}

async function readContent(text: string | undefined, flags: ModerateFlags): Promise<Content> {
  const given = await readTyped(flags.stdin ? '-' : text);
  const images = [
    ...(flags.image ?? []).map((file) => ({ file })),
    ...(flags.imageDescription ?? []).map((description) => ({ description })),
  ];
  return {
    ...(given === undefined ? {} : { text: given }),
    ...(images.length > 0 ? { images } : {}),
    ...(flags.audio ? { audio: flags.audio.map((file) => ({ file })) } : {}),
    ...(flags.video ? { video: flags.video.map((file) => ({ file })) } : {}),
    ...(flags.context ? { context: readContextFlags(flags.context) } : {}),
  };
}

/** `agon run moderation` */
export function defineRunModeration(command: Command): void {
  command.description('Judge texts, images, recordings and films: safe, unsafe or undecided.');
  addRunFlags(command, {
    fields: '"id", "text", "image", "image_description", "audio", "video", "label", "context"',
    map: 'text=comment,label=is_toxic',
    labels: 'hateful=unsafe,fine=safe',
    root: 'image',
  });
  addCascadeFlags(command);
  addSettingsFlags(command, { kind: 'run', job: moderationJob });
  addExamples(command, [
    'agon run moderation --file items.jsonl --out results.jsonl',
    'agon run moderation --file comments.csv --map text=comment,label=is_toxic --cascade',
    'agon run moderation --file items.jsonl --model openai:gpt-4o-mini --estimate 100',
  ]);
  setAction(command, async (flags: RunFlags) => (await import('../runs/start-run.ts')).runJob(moderationJob, flags));
}
