import { openSigningKey } from '@agonhq/ledger/bundle';
import { makeCheckpoint } from '@agonhq/ledger/checkpoints';
import { errorCode } from '../log.ts';
import type { ServerContext } from '../server-context.ts';

const minuteMs = 60_000;
const usualMinutes = 60;

type Needed = Pick<ServerContext, 'ledger' | 'settings' | 'environment' | 'log'>;

/** Makes a checkpoint every so often, where something new was written. */
export function startCheckpoints(context: Needed): { close(): Promise<void> } {
  const everyMs = (context.settings.checkpoints?.minutes ?? usualMinutes) * minuteMs;
  let running: Promise<void> | null = null;
  const clock = setInterval(() => {
    running ??= keepCheckpoint(context).finally(() => (running = null));
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(clock);
      await running;
    },
  };
}

/** What goes wrong is logged: the next time tries again. */
export async function keepCheckpoint({ ledger, settings, environment, log }: Needed): Promise<void> {
  try {
    const signer = await openSigningKey(environment);
    const made = await makeCheckpoint(ledger, { signer, authority: settings.checkpoints?.authority });
    if (!made?.isNew) return;
    log({ level: 'info', event: 'checkpoint', number: made.number, timeStamped: made.timeStamp !== null });
    if (made.timeStampProblem !== null) log({ level: 'warn', event: 'checkpoint', problem: made.timeStampProblem });
  } catch (error) {
    log({ level: 'warn', event: 'checkpoint', code: errorCode(error) });
  }
}
