import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, RunRow } from '@agonhq/ledger';

/** From so many letters on, the beginning of an id may stand for it: `run-` alone names nothing. */
const shortestPrefix = 6;

/** The run that these words name: its id, its name (the newest of that name), or how its id begins. */
export async function findRun(ledger: Ledger, words: string): Promise<RunRow | undefined> {
  const exact = await ledger.runs.findRun(words);
  if (exact) return exact;
  const rows = await ledger.runs.findRunsNamed(words);
  const named = rows.find(({ name }) => name === words);
  if (named) return named;
  const [run, ...others] = words.length < shortestPrefix ? [] : rows;
  if (others.length === 0) return run;
  throw new AgonError(
    'ambiguous-run',
    `${rows.length} runs begin with ${words}: ${listed(rows)}.`,
    'Give more of the id.',
  );
}

/**
 * The same; or says where there is none.
 *
 * @example const run = await runOnRecord(ledger, 'nightly')
 */
export async function requireRun(ledger: Ledger, words: string): Promise<RunRow> {
  const found = await findRun(ledger, words);
  if (found) return found;
  throw new AgonError('unknown-run', `There is no run ${words} in ${ledger.place}.`, {
    library: 'Check the id or name, and which ledger is open.',
    cli: '`agon runs list` shows their ids and names; --ledger FILE names another ledger.',
    api: 'GET /api/runs lists them.',
  });
}

function listed(rows: readonly RunRow[]): string {
  const most = 5;
  const words = rows.slice(0, most).map(({ id, name }) => (name === null ? id : `${id} (${name})`));
  return [...words, ...(rows.length > most ? ['…'] : [])].join(', ');
}
