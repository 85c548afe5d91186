import { findTurns, type Transcript } from '@agonhq/engine/debate';
import type { Ledger } from '@agonhq/ledger';

/** How a model has answered in a role so far. */
export interface PastTurns {
  turns: number;
  /** More than one where answers had to be repaired or asked for again. */
  callsPerTurn: number;
  outputTokensPerCall: number;
  latencyMsPerCall: number;
}

export type FindPast = (role: string, model: string) => PastTurns | null;

/** Fewer say too little. */
const enoughTurns = 20;
const newestCases = 200;

/** What the newest cases of a job tell about its models, by role. */
export async function readPast(ledger: Ledger | null, job: string): Promise<FindPast> {
  const sums = new Map<string, { turns: number; calls: number; outputTokens: number; latencyMs: number }>();
  for (const transcript of ledger ? await transcriptsIn(ledger, job) : []) {
    for (const { role, reasoner, usage, latencyMs } of findTurns(transcript)) {
      // What came from a cache was not called for.
      if (usage.calls === 0) continue;
      const sum = sums.get(`${role} ${reasoner}`) ?? { turns: 0, calls: 0, outputTokens: 0, latencyMs: 0 };
      sum.turns += 1;
      sum.calls += usage.calls;
      sum.outputTokens += usage.outputTokens;
      sum.latencyMs += latencyMs;
      sums.set(`${role} ${reasoner}`, sum);
    }
  }
  return (role, model) => {
    const sum = sums.get(`${role} ${model}`);
    if (!sum || sum.turns < enoughTurns) return null;
    return {
      turns: sum.turns,
      callsPerTurn: sum.calls / sum.turns,
      outputTokensPerCall: sum.outputTokens / sum.calls,
      latencyMsPerCall: sum.latencyMs / sum.calls,
    };
  };
}

async function transcriptsIn(ledger: Ledger, job: string): Promise<Transcript[]> {
  const { rows } = await ledger.cases.listCases({ job, finished: true }, { limit: newestCases });
  const transcripts: Transcript[] = [];
  for (const { id } of rows) {
    const answer = (await ledger.cases.findCase(id))?.answer as
      | { transcript?: Transcript; claims?: { transcript: Transcript }[] }
      | null
      | undefined;
    if (answer?.transcript) transcripts.push(answer.transcript);
    for (const claim of answer?.claims ?? []) transcripts.push(claim.transcript);
  }
  return transcripts;
}
