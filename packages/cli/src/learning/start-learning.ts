import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { agonHome, type Settings } from '@agonhq/core/settings';
import type { SettingsFlags } from '../read-settings.ts';

type PassedFlags = Pick<
  SettingsFlags,
  'config' | 'ledger' | 'policy' | 'model' | 'arbiter' | 'seat' | 'cache' | 'budgetUsd' | 'runBudgetUsd'
>;

/**
 * With `learn.auto`, starts `agon learn` in a process that outlives this one. Returns what to tell the user: whatever
 * becomes of it, the command that started it is done.
 */
export async function startLearning(settings: Settings, flags: PassedFlags): Promise<string | null> {
  if (!settings.learn?.auto) return null;
  const log = path.join(agonHome(process.env), 'learn.log');
  try {
    await mkdir(path.dirname(log), { recursive: true, mode: 0o700 });
    const output = await open(log, 'a', 0o600);
    try {
      const child = spawn(process.execPath, [process.argv[1]!, 'learn', ...listFlags(flags)], {
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
      });
      await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
      child.unref();
      return `Learning from the mistakes in the background; see ${log}.`;
    } finally {
      await output.close();
    }
  } catch (error) {
    return `Learning could not start: ${(error as Error).message}. Run \`agon learn\`.`;
  }
}

function listFlags({ seat = [], budgetUsd, runBudgetUsd, ...flags }: PassedFlags): string[] {
  const { config, ledger, policy, model, arbiter, cache } = flags;
  const given = { config, ledger, policy, model, arbiter, cache };
  const pairs = Object.entries({ ...given, 'budget-usd': budgetUsd, 'run-budget-usd': runBudgetUsd });
  return [
    ...pairs.flatMap(([name, value]) => (typeof value === 'string' ? [`--${name}`, value] : [])),
    ...seat.flatMap((value) => ['--seat', value]),
  ];
}
