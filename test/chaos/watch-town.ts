import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, residentBytesOf } from '../support/process-tree.ts';
import { isApart } from './apart.ts';
import { askOnce, askUntilAnswered, drawDoor, type Client } from './good-client.ts';
import { breach, compareVerdict } from './check-record.ts';
import { sha256 } from '@agonhq/engine/hash';
import type { LedgerName, TownRecord } from './record.ts';
import type { Town } from './town.ts';

const memoryMs = 2_000;
const lookMs = 250;
const runsMs = 4_000;
const leaveMs = 10_000;

/** Looks after the town while it is struck: its memory, verdicts at random, and runs that wait for a person. */
export async function watchTown(
  town: Town,
  record: TownRecord,
  clientFor: (ledger: LedgerName) => Client,
  stop: AbortSignal,
): Promise<void> {
  const every = async (ms: number, work: () => unknown) => {
    while (!stop.aborted) {
      await work();
      await pause(ms, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  await Promise.all([
    every(memoryMs, () => noteMemory(town, record)),
    every(lookMs, () => lookAgain(record, clientFor)),
    every(runsMs, () => resumeRuns(clientFor)),
  ]);
}

function noteMemory(town: Town, record: TownRecord): void {
  for (const [name, pid] of [
    ...[...town.processes.values()].map((each) => [each.name, each.pid()] as const),
    ['postgres', town.postgres.pid()] as const,
  ])
    // Pages that the processes of PostgreSQL share are counted in each: it is not ours to bound.
    if (pid !== null && name !== 'postgres')
      record.memory[name] = Math.max(record.memory[name] ?? 0, residentBytesOf(pid));
}

/** A verdict that was acknowledged some time ago, at any door that opens. */
async function lookAgain(record: TownRecord, clientFor: (ledger: LedgerName) => Client): Promise<void> {
  const verdict = record.verdicts[Math.floor(Math.random() * record.verdicts.length)];
  if (!verdict) return;
  const before = { ...verdict };
  const client = clientFor(verdict.ledger);
  const path = `/api/cases/${verdict.case}/answer`;
  const answer = await askOnce(client, { path }, drawDoor(client));
  if (answer === null || answer.status === 429 || answer.status > 500) return;
  const { status, code, text } = answer;
  const seal = status === 200 ? (JSON.parse(text) as { seal: string }).seal : null;
  // Asked for again while it was being forgotten, either is right.
  const forget = before.forget === verdict.forget ? verdict.forget : 'asked';
  const wrong = compareVerdict({ ...verdict, forget }, { status, code, seal, body: sha256(text) });
  if (wrong) record.seen.push({ ...wrong, what: `${wrong.what} (seen while it went on)` });
}

/** A run that was stopped because no model answered waits for a person, who sees that they answer again. */
async function resumeRuns(clientFor: (ledger: LedgerName) => Client): Promise<void> {
  for (const ledger of ['postgres', 'sqlite'] as const) {
    const client = clientFor(ledger);
    const answer = await askOnce(client, { path: '/api/runs?state=stopped&limit=50' });
    if (answer?.status !== 200) continue;
    const { rows } = JSON.parse(answer.text) as { rows: { id: string; problem: string | null }[] };
    for (const { id, problem } of rows)
      if (problem?.includes('models-away'))
        await askOnce(client, { method: 'POST', path: `/api/runs/${id}/resume` }, drawDoor(client));
  }
}

/** Processes that are still there although all were ended: of ours, and of those whose parents have gone. */
export async function findLeftOver(): Promise<number[]> {
  for (const until = performance.now() + leaveMs; ; await pause(100)) {
    // Apart from everything else, the shell that called us has whatever is nobody's.
    const orphans = isApart() ? childrenOf(1).filter((pid) => pid !== process.pid) : [];
    const left = [...childrenOf(process.pid), ...orphans];
    if (left.length === 0 || performance.now() > until) return left;
  }
}

/** Waits until all runs have ended, with failed items tried again; what is left says the check. */
export async function settleRuns(record: TownRecord, ledger: LedgerName, client: Client): Promise<void> {
  const left = new Set(record.runs.filter((each) => each.ledger === ledger).map(({ run }) => run));
  for (let round = 0; left.size > 0 && !client.deadline.aborted; round += 1) {
    for (const run of left) {
      const answer = await askUntilAnswered(client, { path: `/api/runs/${run}` });
      if (answer === null) return;
      if (answer.status !== 200) {
        record.seen.push(breach('kept', `The run ${run} was acknowledged, and is answered with ${answer.status}.`));
        left.delete(run);
        continue;
      }
      const { state, problem, counts } = JSON.parse(answer.text) as {
        state: string;
        problem: string | null;
        counts: { failed: number };
      };
      if (state === 'running') continue;
      if (problem?.includes('budget-spent')) left.delete(run);
      else if (state === 'finished' && counts.failed === 0) left.delete(run);
      else if (state === 'finished')
        await askOnce(client, { method: 'POST', path: `/api/runs/${run}/retry-failed` }, round);
      else await askOnce(client, { method: 'POST', path: `/api/runs/${run}/resume` }, round);
    }
    await pause(500, undefined, { signal: client.deadline }).catch(() => undefined);
  }
}
