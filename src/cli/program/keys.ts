import type { Command } from 'commander';
import type { KeysCreateFlags, KeysFlags } from '../commands/keys.ts';
import { list, withLedger } from '../option-groups.ts';

/** `agon keys …` */
export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .summary('make and revoke the keys of the server')
    .description('Look after the keys of `agon serve`. They are kept in the ledger, of each secret only a hash.');

  withPlace(keys.command('create').description('Make a key and print it. This is the only time that it is shown.'))
    .requiredOption('--name <name>', 'what it is for, as lists show it')
    .requiredOption(
      '--scope <scope>',
      'what it may do: read (look at cases), judge (have things judged), review (decide, and look after ' +
        'precedents), admin (everything); may be given several times',
      list,
    )
    .option('--reviewer <name>', 'in whose name it decides (default: the name of the key)')
    .option('--expires <moment>', 'until when: 90d, 12h or 8w from now, or a date (default: until it is revoked)')
    .addHelpText(
      'after',
      '\nExamples:\n  agon keys create --name ci --scope judge --expires 90d\n  agon keys create --name "Mara at ' +
        'the desk" --scope read --scope review --reviewer mara\n  export AGON_KEY=$(agon keys create --name laptop ' +
        '--scope admin)\n',
    )
    .action(async (flags: KeysCreateFlags) => {
      const { keysCreateCommand } = await import('../commands/keys.ts');
      process.exitCode = await keysCreateCommand(flags);
    });

  withPlace(keys.command('list').description('List keys, the newest first, without their secrets.'))
    .addHelpText(
      'after',
      "\nExamples:\n  agon keys list\n  agon keys list --json | jq -r 'select(.lastUsedAt == null).id'\n",
    )
    .action(async (flags: KeysFlags) => {
      const { keysListCommand } = await import('../commands/keys.ts');
      process.exitCode = await keysListCommand(flags);
    });

  withPlace(
    keys
      .command('revoke')
      .description('Take a key out of use, for good. It stays on record.')
      .argument('<id>', 'its id, or the key itself'),
  )
    .addHelpText('after', '\nExamples:\n  agon keys revoke 3f9a0c5be211\n')
    .action(async (id: string, flags: KeysFlags) => {
      const { keysRevokeCommand } = await import('../commands/keys.ts');
      process.exitCode = await keysRevokeCommand(id, flags);
    });
}

function withPlace(command: Command): Command {
  return withLedger(command)
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--json', 'print JSON');
}
