import { InvalidArgumentError, type Command } from 'commander';
import { attackNames } from '../attacks/index.ts';
import { list, positive } from './option-groups.ts';

function temperature(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 2))
    throw new InvalidArgumentError('Give a number from 0 to 2.');
  return number;
}

/** The flags that ask a target model instead of taking exchanges. */
export function withTarget(command: Command): Command {
  return command
    .option('--target <provider:model>', 'ask this model the prompts of --prompts, and judge what it answers')
    .option(
      '--prompts <file>',
      'what the target is asked: JSONL with "prompt" (and "id"), CSV with a column prompt, or one prompt a line',
    )
    .option(
      '--attacks <names>',
      `how each prompt is put, in each of these ways: ${attackNames.join(', ')} (default: none)`,
      list,
    )
    .option(
      '--evaluators <names>',
      'who judges the answers of the target, the first being whose figures count (default: debate,guard)',
      list,
    )
    .option('--hard <hard.jsonl>', 'keep apart there, for annotation, what the evaluators do not agree on')
    .option('--target-system <file>', "the target's system prompt")
    .option('--target-tokens <n>', 'the longest answer of the target, in tokens (default: 1024)', positive)
    .option('--target-temperature <t>', "the target's temperature", temperature);
}
