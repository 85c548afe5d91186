import { AgonError } from '../../errors.ts';
import { labels } from '../judged-answer.ts';
import type { ModerateFlags } from '../moderate-flags.ts';

/** `agon moderate`: one subject, or a file of them. Returns the exit code. */
export async function moderateCommand(text: string | undefined, flags: ModerateFlags): Promise<number> {
  const wrong = usageProblem(text, flags);
  if (wrong) throw wrong;
  if (flags.file !== undefined) {
    const { moderateMany } = await import('./moderate-many.ts');
    return moderateMany(flags);
  }
  const { moderateOne } = await import('./moderate-one.ts');
  return moderateOne(text, flags);
}

function usageProblem(text: string | undefined, flags: ModerateFlags): AgonError | null {
  const unknown = flags.failOn?.find((label) => !(labels as readonly string[]).includes(label));
  if (unknown)
    return new AgonError(
      'bad-flag',
      `--fail-on ${unknown}: there is no such verdict.`,
      `Verdicts are ${labels.join(', ')}.`,
    );
  if (
    flags.file !== undefined &&
    (text !== undefined || flags.stdin || flags.image || flags.imageDescription || flags.report)
  ) {
    return new AgonError(
      'bad-flag',
      '--file cannot be combined with a text, --stdin, --image or --report.',
      'Put everything into the file, or judge one subject at a time.',
    );
  }
  if (flags.out !== undefined && flags.file === undefined) {
    return new AgonError('bad-flag', '--out goes with --file.', 'For one subject, use --report answer.json or --json.');
  }
  if (flags.json && flags.report?.includes('notice')) {
    return new AgonError(
      'bad-flag',
      '--json and --report notice both print to standard output.',
      'Give the notice a file: --report notice.txt.',
    );
  }
  if (text !== undefined && flags.stdin)
    return new AgonError('bad-flag', 'A text was given and --stdin too.', 'Give one of them.');
  if (text === undefined && !flags.stdin && flags.file === undefined && !flags.image && !flags.imageDescription) {
    return new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Pass a text, --image FILE, --stdin or --file items.jsonl; `agon moderate --help` has examples.',
    );
  }
  return null;
}
