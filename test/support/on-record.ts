import path from 'node:path';
import type { FakeProvider } from '../fake-provider/index.ts';
import { agon as runAgon, startAgon, type Court, type Ran, type RunOptions } from './run-agon.ts';

/** A court whose cases are kept in a ledger in its folder. */
export interface CourtOfRecord<Provider extends FakeProvider = FakeProvider> extends Court<Provider> {
  ledger: string;
  /** The JSON that a command prints. */
  json<Value>(args: readonly string[], options?: RunOptions): Promise<Value>;
  /** How often the provider was asked while this ran. */
  asking<Value>(work: () => Promise<Value>): Promise<{ value: Value; requests: Provider['requests'] }>;
}

export function onRecord<Provider extends FakeProvider>(court: Court<Provider>): CourtOfRecord<Provider> {
  const ledger = path.join(court.folder, 'ledger.sqlite');
  const kept = (options: RunOptions = {}): RunOptions => ({
    cwd: court.folder,
    ...options,
    environment: { AGON_LEDGER: ledger, ...options.environment },
  });
  const agon = (args: readonly string[], options?: RunOptions): Promise<Ran> => runAgon(args, kept(options));
  return {
    ...court,
    ledger,
    agon,
    start: (args, options) => startAgon(args, kept(options)),
    async json<Value>(args: readonly string[], options?: RunOptions) {
      const { stdout, stderr } = await agon([...args, '--json'], options);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Value;
    },
    async asking(work) {
      const before = court.panel.requests.length;
      const value = await work();
      return { value, requests: court.panel.requests.slice(before) };
    },
  };
}
