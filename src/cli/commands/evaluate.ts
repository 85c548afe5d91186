import { AgonError } from '../../errors.ts';
import { targetFlags, type CollectFlags } from '../collect-flags.ts';
import { labels } from '../judged-answer.ts';

/** `agon evaluate`: one exchange, a file of them, or what a target model answers. Returns the exit code. */
export async function evaluateCommand(flags: CollectFlags): Promise<number> {
  const wrong = usageProblem(flags);
  if (wrong) throw wrong;
  if (flags.target !== undefined) {
    const { evaluateTarget } = await import('./evaluate-target.ts');
    return evaluateTarget(flags);
  }
  if (flags.file !== undefined) {
    const { evaluateMany } = await import('./evaluate-many.ts');
    return evaluateMany(flags);
  }
  const { evaluateOne } = await import('./evaluate-one.ts');
  return evaluateOne(flags);
}

function usageProblem(flags: CollectFlags): AgonError | null {
  const unknown = flags.failOn?.find((label) => !(labels as readonly string[]).includes(label));
  if (unknown)
    return new AgonError(
      'bad-flag',
      `--fail-on ${unknown}: there is no such verdict.`,
      `Verdicts are ${labels.join(', ')}.`,
    );
  const pair = flags.prompt !== undefined || flags.response !== undefined;
  const ways = Object.entries({
    '--prompt and --response': pair,
    '--messages': flags.messages !== undefined,
    '--stdin': flags.stdin,
    '--file': flags.file !== undefined,
    '--target': flags.target !== undefined,
  });
  const given = ways.filter(([, used]) => used).map(([name]) => name);
  if (given.length > 1)
    return new AgonError(
      'bad-flag',
      `${given.slice(0, -1).join(', ')} cannot be combined with ${given.at(-1)}.`,
      'Give exchanges in one way only.',
    );
  if (given.length === 0) {
    return new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Pass --prompt and --response, --messages FILE, --stdin, --file exchanges.jsonl or --target; `agon evaluate ' +
        '--help` has examples.',
    );
  }
  const stray = Object.keys(targetFlags).find((name) => flags[name as keyof typeof targetFlags] !== undefined);
  if (stray !== undefined && flags.target === undefined) {
    return new AgonError(
      'bad-flag',
      `${targetFlags[stray as keyof typeof targetFlags]} goes with --target.`,
      'Name the model to ask: --target provider:model.',
    );
  }
  const many = flags.file !== undefined || flags.target !== undefined;
  if (flags.file !== undefined && flags.report)
    return new AgonError(
      'bad-flag',
      '--report goes with one exchange, not with --file.',
      'Judge one exchange at a time for a report.',
    );
  if (flags.out !== undefined && !many)
    return new AgonError(
      'bad-flag',
      '--out goes with --file.',
      'For one exchange, use --report answer.json or --json.',
    );
  if (flags.json && flags.report?.includes('notice')) {
    return new AgonError(
      'bad-flag',
      '--json and --report notice both print to standard output.',
      'Give the notice a file: --report notice.txt.',
    );
  }
  return null;
}
