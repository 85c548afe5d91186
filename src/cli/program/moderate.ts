import type { Command } from 'commander';
import type { ModerateFlags } from '../moderate-flags.ts';
import { collect, withModeration, withTrials } from '../option-groups.ts';

export function addModerate(program: Command): void {
  withModeration(
    withTrials(
      program
        .command('moderate')
        .summary('judge a text, an image, or both')
        .description(
          'Judge a text, an image, or a text with images: safe, unsafe or undecided, after a debate that is on record.',
        )
        .argument('[text]', 'the text to judge')
        .option('--image <file>', 'an image to judge; may be given several times', collect)
        .option(
          '--image-description <text>',
          'a description that stands for an image; may be given several times',
          collect,
        )
        .option('--stdin', 'read the text from standard input')
        .option(
          '--file <items.jsonl>',
          'judge many items, one JSON object a line ("id", "text", "image", "image_description"); - for standard input',
        )
        .option('--root <folder>', "what image paths in --file are relative to (default: the file's folder)")
        .option('--appeal <text>', 'how to appeal, for the notice'),
      'a statement of reasons for the affected user',
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon moderate "How do I kill a process on Linux?"
  agon moderate --image poster.png --report poster.html
  cat post.txt | agon moderate --stdin --json
  agon moderate --file items.jsonl --out results.jsonl --concurrency 16
  agon moderate "…" --model ollama:llama3.1 --rounds 1
  agon moderate "…" --preset paper --without retrieval
  agon moderate "…" --fail-on unsafe,undecided && deploy
`,
    )
    .action(async (text: string | undefined, flags: ModerateFlags) => {
      const { moderateCommand } = await import('../commands/moderate.ts');
      process.exitCode = await moderateCommand(text, flags);
    });
}
