import { checkCalls } from './check-calls.ts';
import type { Breach, FoundCase, FoundLedger, LedgerName, TownRecord } from './record.ts';

/** What must hold, whatever happened, with the words of a report. */
export const invariants = {
  kept: 'What was acknowledged is kept: every verdict with the same bytes and the same seal, every decision, every run.',
  once: 'Every item of a run is judged exactly once, and has one case; a request that was repeated made one run.',
  paid: 'What a provider had answered is not asked for again, unless whoever asked was struck.',
  budget: 'No run costs more than its budget, as the provider counts.',
  seals: 'All answers verify, and the audit of the ledgers finds nothing.',
  ends: 'Every request is answered, every case and every run ends.',
  forgotten: 'What was forgotten stays forgotten.',
  memory: 'The memory of every process is bounded.',
  alive: 'No process ends that nobody struck, every one starts and stops when it is told to, and none is left over.',
  answers: 'No good request is refused, and none is answered with a fault of the server.',
} as const;
export type Invariant = keyof typeof invariants;

/** Bytes of a process and all that it started: its readers of documents among them. */
export const mostMemory = 1_400_000_000;

export type FoundTown = Record<LedgerName, FoundLedger>;

/** Everything that does not hold. */
export function checkRecord(record: TownRecord, found: FoundTown, itemsAtOnce: number): Breach[] {
  const names = Object.keys(found) as LedgerName[];
  return [
    ...record.seen,
    ...names.flatMap((name) => [
      ...checkVerdicts(record, name, found[name]),
      ...checkDecisions(record, name, found[name]),
      ...checkRuns(record, name, found[name]),
      ...found[name].audit.map((what) => breach('seals', `The audit of the ledger on ${name} says: ${what}`)),
      ...found[name].judging.map((id) => breach('ends', `The case ${id} on ${name} is said to be judged still.`)),
    ]),
    ...checkBudgets(record),
    ...checkCalls(record, itemsAtOnce).map((what) => breach('paid', what)),
    ...checkMemory(record),
    ...record.problems.map(({ process, what, stderr }) =>
      breach('alive', `${process} ${what}.${stderr === '' ? '' : ` It said: ${stderr.slice(-1_500)}`}`),
    ),
  ];
}

export function breach(invariant: Invariant, what: string): Breach {
  return { invariant, what };
}

/** Compares a verdict that was acknowledged with what is found of it; null where it was forgotten on request. */
export function compareVerdict(
  verdict: Pick<TownRecord['verdicts'][number], 'case' | 'seal' | 'body' | 'forget'>,
  found: Pick<FoundCase, 'status' | 'code' | 'seal' | 'body'> | undefined,
): Breach | null {
  const id = verdict.case;
  if (!found) return breach('kept', `The verdict ${id} was acknowledged and was not looked for.`);
  const isGone = found.status === 410;
  if (verdict.forget === 'acknowledged')
    return isGone ? null : breach('forgotten', `${id} was forgotten, and is answered with ${found.status}.`);
  if (isGone && verdict.forget === 'asked') return null;
  if (found.status !== 200)
    return breach('kept', `The verdict ${id} was acknowledged, and is answered with ${found.status} ${found.code}.`);
  if (found.seal !== verdict.seal)
    return breach('kept', `The verdict ${id} was acknowledged with the seal ${verdict.seal}, and has ${found.seal}.`);
  if (verdict.body !== null && found.body !== verdict.body)
    return breach('kept', `The verdict ${id} was acknowledged with other bytes than it has.`);
  return null;
}

function checkVerdicts({ verdicts }: TownRecord, name: LedgerName, { cases }: FoundLedger): Breach[] {
  return verdicts
    .filter(({ ledger }) => ledger === name)
    .flatMap((verdict) => {
      const found = cases[verdict.case];
      const wrong = compareVerdict(verdict, found);
      return [
        ...(wrong ? [wrong] : []),
        ...(found?.invalid ?? []).map((what) => breach('seals', `${verdict.case} does not verify: ${what}`)),
      ];
    });
}

function checkDecisions({ decisions }: TownRecord, name: LedgerName, { cases }: FoundLedger): Breach[] {
  return decisions
    .filter(({ ledger }) => ledger === name)
    .flatMap(({ case: id, why }) => {
      const times = (cases[id]?.decisions ?? []).filter((given) => given === why).length;
      if (times === 1) return [];
      return [breach('kept', `The decision “${why}” on ${id} was acknowledged, and is on record ${times} times.`)];
    });
}

function checkRuns({ runs }: TownRecord, name: LedgerName, found: FoundLedger): Breach[] {
  const own = runs.filter(({ ledger }) => ledger === name);
  const cases = new Map<string, string>();
  const breaches: Breach[] = [];
  for (const { run, keys, budgetUsd } of own) {
    const seen = found.runs[run];
    if (!seen) {
      breaches.push(breach('kept', `The run ${run} was acknowledged, and is not there.`));
      continue;
    }
    const isSpent = budgetUsd !== null && (seen.problem?.includes('budget-spent') ?? false);
    if (seen.state !== 'finished' && !(seen.state === 'stopped' && isSpent))
      breaches.push(breach('ends', `The run ${run} is ${seen.state} (${seen.problem ?? 'no problem is named'}).`));
    const results = Map.groupBy(seen.results, ({ key }) => key);
    for (const key of keys) {
      const times = results.get(key)?.length ?? 0;
      if (times > 1 || (times === 0 && !isSpent))
        breaches.push(breach('once', `The item ${key} of ${run} has ${times} results.`));
    }
    for (const { key, case: id, error } of seen.results) {
      if (id === null) {
        if (!isSpent) breaches.push(breach('once', `The item ${key} of ${run} has no verdict: ${error}.`));
        continue;
      }
      const other = cases.get(id);
      if (other !== undefined) breaches.push(breach('once', `The items ${other} and ${key} have one case, ${id}.`));
      cases.set(id, key);
    }
  }
  return [...breaches, ...findDoubles(own, found)];
}

/** A second run of a request that was made once. */
function findDoubles(own: TownRecord['runs'], { allRuns }: FoundLedger): Breach[] {
  const acknowledged = new Map(own.map(({ run, keys }) => [keys[0], run]));
  return allRuns.flatMap(({ run, firstKey }) => {
    const known = firstKey === null ? undefined : acknowledged.get(firstKey);
    if (known === undefined || known === run) return [];
    return [breach('once', `The request for ${known} made a second run, ${run}.`)];
  });
}

function checkBudgets({ runs, calls }: TownRecord): Breach[] {
  const spent = new Map<number, number>();
  for (const { act, usd } of calls) spent.set(act, (spent.get(act) ?? 0) + usd);
  return runs.flatMap(({ act, run, budgetUsd }) => {
    const usd = spent.get(act) ?? 0;
    if (budgetUsd === null || usd <= budgetUsd) return [];
    return [breach('budget', `The run ${run} may cost $${budgetUsd}, and the provider served $${usd.toFixed(4)}.`)];
  });
}

function checkMemory({ memory }: TownRecord): Breach[] {
  return Object.entries(memory)
    .filter(([, bytes]) => bytes > mostMemory)
    .map(([name, bytes]) =>
      breach('memory', `${name} had ${Math.round(bytes / 1e6)} MB; ${mostMemory / 1e6} MB are the most.`),
    );
}
