import type { Command } from 'commander';
import type { McpFlags } from '../commands/mcp.ts';
import { collect, withRecord } from '../option-groups.ts';

export function addMcp(program: Command): void {
  withRecord(
    program
      .command('mcp')
      .summary('offer the three jobs as tools to assistants')
      .description(
        'Serve the Model Context Protocol over standard input and output: the tools moderate, evaluate and ' +
          'analyze, and the cases on record. An assistant starts it by itself.',
      )
      .option('--root <folder>', 'files below this folder may be named by their path; without it, none')
      .option('--policy <file>', 'the rulebook, instead of the default policy')
      .option('--model <provider:model>', 'the model of every seat that is not named')
      .option('--debaters <provider:model>', 'the model of the debaters of every job')
      .option('--arbiter <provider:model>', "the arbiter's model")
      .option('--seat <seat=provider:model>', 'the model of one seat', collect)
      .option('--cache <folder>', 'keep answers there and ask nothing twice; "ledger" for the ledger')
      .option('--budget-usd <amount>', 'at most this much for one call')
      .option('--run-budget-usd <amount>', 'at most this much in all')
      .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)'),
  )
    .addHelpText(
      'after',
      `
In the configuration of an assistant:
  { "mcpServers": { "agon": { "command": "npx", "args": ["agon", "mcp"] } } }
  { "mcpServers": { "agon": { "command": "npx", "args": ["agon", "mcp", "--root", "/home/me/reports"] } } }

Examples:
  agon mcp
  agon mcp --root reports --model ollama:llama3.1
  agon mcp --no-ledger

Tools: moderate, evaluate, analyze; list_cases and show_case where there is a ledger.
Resources: agon://policy, agon://cases/{id}, agon://cases/{id}/report.
`,
    )
    .action(async (flags: McpFlags) => {
      const { mcpCommand } = await import('../commands/mcp.ts');
      process.exitCode = await mcpCommand(flags);
    });
}
