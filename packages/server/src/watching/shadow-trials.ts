import { sha256 } from '@agonhq/engine/hash';
import type { JobAnswer, Jobs } from '@agonhq/judges/job';
import type { Ledger, ShadowRow } from '@agonhq/ledger';
import { policyOnRecord } from '@agonhq/engine/policy';
import type { Sensitivity } from '@agonhq/engine/policy/sensitivity';
import type { Settings } from '@agonhq/core/settings';
import { methodSettings, type AgonPool } from '../agon-pool.ts';
import { errorCode, type LogLine } from '../log.ts';

/** Has candidates judge what was judged, after the answer was given. */
export interface ShadowTrials {
  /** Takes note of a verdict; whoever waits for it does not wait for this. */
  offer(answer: Pick<JobAnswer, 'id' | 'job'>, asked: AskedFor): void;
  /** Reads the ledger again: something was begun or ended. */
  refresh(): Promise<void>;
  /** When nothing is judged and nothing waits. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

/** What a request said of how it is to be judged: the candidate is asked for the same, but for what it changes. */
export interface AskedFor {
  method?: string | undefined;
  sensitivity?: Sensitivity | undefined;
}

interface Waiting extends AskedFor {
  case: string;
}

interface Candidate {
  row: ShadowRow;
  judging: Set<Promise<void>>;
  waiting: Waiting[];
}

/** What comes when so many wait for a candidate is left out, and counted. */
const mostWaiting = 50;
/** What other servers on the same ledger began or ended is known so late at most. */
const refreshMs = 5_000;

export interface ShadowOptions {
  jobs: Jobs;
  ledger: Ledger;
  agons: Pick<AgonPool, 'openAgon'>;
  log: (line: LogLine) => void;
}

export async function openShadowTrials({ jobs, ledger, agons, log }: ShadowOptions): Promise<ShadowTrials> {
  const candidates = new Map<string, Candidate>();
  const stop = new AbortController();
  const orLog = (what: string, work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => log({ level: 'warn', event: 'shadow', problem: what, code: errorCode(error) }),
    );

  async function refresh(): Promise<void> {
    const running = await ledger.shadows.listShadows({ running: true });
    for (const row of running) {
      const known = candidates.get(row.id);
      if (known) known.row = row;
      else candidates.set(row.id, { row, judging: new Set(), waiting: [] });
    }
    const ids = new Set(running.map(({ id }) => id));
    for (const [id, { waiting }] of candidates)
      if (!ids.has(id)) {
        waiting.length = 0;
        candidates.delete(id);
      }
  }

  function pump(candidate: Candidate): void {
    while (candidate.judging.size < candidate.row.candidate.concurrency && !stop.signal.aborted) {
      const next = candidate.waiting.shift();
      if (!next) return;
      const work = judgeInShadow(candidate.row, next)
        .catch(async (error: unknown) => {
          if (stop.signal.aborted) return;
          log({ level: 'warn', event: 'shadow', shadow: candidate.row.id, case: next.case, code: errorCode(error) });
          await orLog('a failure cannot be counted', ledger.shadows.count(candidate.row.id, { failed: 1 }));
        })
        .finally(() => {
          candidate.judging.delete(work);
          pump(candidate);
        });
      candidate.judging.add(work);
    }
  }

  async function judgeInShadow({ id }: ShadowRow, { case: caseId, ...asked }: Waiting): Promise<void> {
    const shadow = await ledger.shadows.findShadow(id);
    if (!shadow || shadow.endedAt !== null || (await ledger.shadows.hasPair(id, caseId))) return;
    const { policy, budgetUsd } = shadow.candidate;
    if (budgetUsd !== null && shadow.spentUsd >= budgetUsd) {
      await ledger.shadows.endShadow(id, 'It has spent its budget.');
      return refresh();
    }
    const found = await ledger.cases.findCase(caseId);
    if (!found || found.content === null || found.label === null) return;
    const other = policy === null ? undefined : (await ledger.policies.findPolicy(policy))?.document;
    const job = jobs.require(found.job);
    const agon = await agons.openAgon(
      job.id,
      makeCandidateSettings(shadow.candidate, asked),
      other === undefined ? undefined : policyOnRecord(other),
      { again: { of: caseId, how: 'shadow' } },
    );
    try {
      const { input, options } = await job.restore(
        found.context === null ? found.content : { ...(found.content as object), context: found.context },
        { find: (hash) => ledger.attachments.findAttachment(hash), local: false },
      );
      const debate = nameShadowCase(id, caseId);
      const trial = agon.judge(job, input, { ...options, debate, signal: stop.signal, stream: false });
      let step = await trial.next();
      while (!step.done) step = await trial.next();
      await ledger.shadows.keepPair(id, { case: caseId, shadowCase: step.value.id });
      await ledger.shadows.count(id, { spentUsd: step.value.usage.costUsd ?? 0 });
    } finally {
      await agon.close();
    }
  }

  await refresh();
  const timer = setInterval(() => void orLog('shadows cannot be read', refresh()), refreshMs).unref();
  const judging = () => [...candidates.values()].flatMap((candidate) => [...candidate.judging]);
  return {
    offer({ id, job }, asked) {
      for (const candidate of candidates.values()) {
        const { row, waiting } = candidate;
        if (row.candidate.job !== job || !isDrawn(row, id)) continue;
        if (waiting.length >= mostWaiting)
          void orLog('what was left out cannot be counted', ledger.shadows.count(row.id, { dropped: 1 }));
        else waiting.push({ case: id, ...asked });
        pump(candidate);
      }
    },
    refresh,
    async whenIdle() {
      for (let all = judging(); all.length > 0; all = judging()) await Promise.all(all);
    },
    async close() {
      clearInterval(timer);
      stop.abort();
      for (const { waiting } of candidates.values()) waiting.length = 0;
      await Promise.allSettled(judging());
    },
  };
}

/** What a candidate sets otherwise; where it says nothing, what the request said. */
export function makeCandidateSettings(
  { job, method, seats, sensitivity }: Pick<ShadowRow['candidate'], 'job' | 'method' | 'seats' | 'sensitivity'>,
  asked: AskedFor = {},
): Settings {
  const { seats: ofMethod, ...own } = methodSettings(job, method ?? asked.method);
  return { ...own, seats: { ...ofMethod, ...seats }, sensitivity: sensitivity ?? asked.sensitivity };
}

function nameShadowCase(shadow: string, caseId: string): string {
  return `${caseId}~${sha256(`${shadow} ${caseId}`).slice(7, 15)}`;
}

/** By lot, and the same lot whenever the case comes: a share of one half holds half of all cases. */
export function isDrawn({ id, candidate }: Pick<ShadowRow, 'id' | 'candidate'>, caseId: string): boolean {
  const lot = Number.parseInt(sha256(`${id}/${caseId}`).slice(7, 19), 16) / 0x1_0000_0000_0000;
  return lot < candidate.share;
}
