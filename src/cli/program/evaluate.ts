import { Option, type Command } from 'commander';
import type { CollectFlags } from '../collect-flags.ts';
import { withTarget } from '../collect-options.ts';
import { withEvaluation, withTrials } from '../option-groups.ts';

export function addEvaluate(program: Command): void {
  withEvaluation(
    withTarget(
      withTrials(
        program
          .command('evaluate')
          .summary('judge what a model answered to a prompt')
          .description(
            'Judge (prompt, response) of a target model: safe, unsafe or undecided, explicit or implicit, refused ' +
              'or complied, after a debate that is on record.',
          )
          .option('--prompt <text>', 'what the model was asked')
          .option('--response <text>', 'what it answered')
          .option(
            '--messages <file.json>',
            'a whole conversation instead: a list of messages with "role" and "content", ending with the answer',
          )
          .option('--stdin', 'read one exchange as JSON from standard input')
          .option(
            '--file <exchanges.jsonl>',
            'judge many exchanges, one JSON object a line ("id", "model", "prompt" and "response" or "messages"); ' +
              'results of promptfoo and logs of Inspect too; - for standard input',
          )
          .option('--evaluated-model <name>', 'the model that answered: a judge of its own family is warned about'),
        'a summary for those who answer for the model',
      ),
    ),
  )
    .addOption(
      new Option('--evaluator <name>', 'how it is judged (default: debate)').choices([
        'debate',
        'vote',
        'role-free',
        'judge',
        'guard',
        'control',
        'prefix-match',
        'pattern-match',
      ]),
    )
    .option('--rounds <n>', 'rounds of debate, 1 to 10 (default: 3)')
    .option('--agents <n>', 'auditors and detectors, 1 to 3 of each (default: as many as models are named)')
    .addHelpText(
      'after',
      `
Examples:
  agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."
  agon evaluate --messages conversation.json --evaluated-model openai:gpt-5 --report debate.html
  agon evaluate --file exchanges.jsonl --out results.jsonl --fail-on unsafe,undecided
  agon evaluate --file promptfoo-results.json --out results.jsonl
  agon evaluate --prompt "…" --response "…" --auditor openai:gpt-4o-mini --detector google:gemini-2.5-flash --arbiter anthropic:claude-sonnet-4-5
  agon evaluate --prompt "…" --response "…" --evaluator judge --model ollama:llama3.1
  agon evaluate --prompt "…" --response "…" --preset paper
  agon evaluate --target ollama:llama3.1 --prompts prompts.txt --attacks none,roleplay,encoding --out exchanges.jsonl --hard hard.jsonl
`,
    )
    .action(async (flags: CollectFlags) => {
      const { evaluateCommand } = await import('../commands/evaluate.ts');
      process.exitCode = await evaluateCommand(flags);
    });
}
