import { writeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openLedgerResults } from '@agonhq/bench/systems/results';
import { openLedger } from '@agonhq/ledger';
import { turnAt } from './ledger-cases.ts';
import { holdDebates } from './ledger-debates.ts';
import { resultAt, workerName } from './run-items.ts';

/*
 * What tests of the ledger do in a process of its own: `node ledger-child.ts WHAT …`. It says `ready` when it begins.
 */

const say = (words: unknown) => writeSync(1, `${JSON.stringify(words)}\n`);

const doings: Record<string, (...words: string[]) => Promise<void>> = {
  /** Opens a ledger together with others, and keeps some entries in it. */
  async write(file, name, count) {
    say('ready');
    const ledger = await openLedger({ file: file });
    for (let index = 0; index < Number(count); index += 1)
      await ledger.journal.insert(`${name}-${index}`, turnAt('arbiter'));
    await ledger.close();
  },

  /** Opens a ledger as somebody without rights, and says what came of it. */
  async unprivileged(file, spare) {
    // Loads all code while it may still be read.
    await (await openLedger({ file: spare })).close();
    if (process.getuid!() === 0) {
      process.setgid!(65_534);
      process.setuid!(65_534);
    }
    try {
      const ledger = await openLedger({ file: file });
      await ledger.journal.insert('debate', turnAt('arbiter'));
      say('it could be written');
    } catch (error) {
      const { code, message, hint } = error as { code: string; message: string; hint: string };
      say({ code, message, hint });
    }
  },

  /** Holds the lock for a while. */
  async lock(file, milliseconds) {
    const database = new DatabaseSync(file);
    database.exec('begin immediate');
    say('ready');
    await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
    database.exec('commit');
    database.close();
  },

  /** Judges the items of a run until none is left, and says which. */
  async judge(file, run) {
    const ledger = await openLedger({ file: file });
    const queue = await ledger.openQueue({ worker: workerName() });
    say('ready');
    for (let items = await queue.takeItems(run, 4); items.length > 0; items = await queue.takeItems(run, 4)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      for (const item of items)
        if (await queue.finishItem(item, resultAt(`case-${item.position}`))) say({ finished: item.position });
      await queue.reclaimItems();
    }
    await ledger.close();
  },

  /**
   * Judges the items of a bench that has none of them yet, many at once; which ones the ledger acknowledged is in a
   * file before anything else happens.
   */
  async bench(file, bench, acknowledged, count) {
    const ledger = await openLedger({ file: file });
    await ledger.benches.startBench({ id: bench, name: bench, plan: {} });
    const { seen, write, close } = await openLedgerResults(ledger, bench);
    const record = openSync(acknowledged, 'a');
    const items = Array.from({ length: Number(count) }, (_, index) => index).filter(
      (index) => !seen.has(`item-${index}`),
    );
    say('ready');
    const work = async () => {
      for (let index = items.shift(); index !== undefined; index = items.shift()) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        await write({ line: index, key: `item-${index}`, result: { judged: index } });
        writeSync(record, `item-${index}\n`);
      }
    };
    await Promise.all(Array.from({ length: 12 }, work));
    await close();
    await ledger.benches.endBench(bench, 'done');
    await ledger.close();
    say('done');
  },

  /** Holds debates; what the ledger acknowledged is in a file before anything else happens. */
  async debates(file, provider, acknowledged, count) {
    const ledger = await openLedger({ file: file });
    const record = openSync(acknowledged, 'a');
    say('ready');
    await holdDebates(ledger, provider, Number(count), (line) => writeSync(record, `${line}\n`));
    await ledger.close();
    say('done');
  },
};

const [what, ...words] = process.argv.slice(2);
await doings[what!]!(...words);
