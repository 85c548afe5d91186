import { addUsage, noUsage, type Journal, type Reasoner, type Usage } from '@agonhq/engine/debate';
import type { Case, Decision, Ledger } from '@agonhq/ledger';
import type { Jobs } from '@agonhq/judges/job';
import { policyOnRecord, type Policy } from '@agonhq/engine/policy';
import type { KeptPrecedent, Library } from '@agonhq/models/precedents';
import { openAdmission, type Admission } from './admit-precedent.ts';
import { curate } from './curator.ts';
import type { Lesson, PostMortem } from '@agonhq/models/precedents/lesson';
import { postMortemOf, precedentOf, readLesson } from './read-lesson.ts';

/** The version of the JSON shape of a report of what was learnt. */
const learnReportVersion = 1;

/** What `agon learn --json` prints. */
export interface LearnReport {
  version: typeof learnReportVersion;
  mode: 'failures' | 'all';
  dryRun: boolean;
  /** The curator's model. */
  curator: string;
  /** In the order they were decided. */
  cases: readonly TakenCase[];
  /** What was paid now. */
  usage: Usage;
  /** Why it ended before its time; null when it did not. */
  stopped: string | null;
}

/** A case that was taken up, and what came of it. */
export interface TakenCase {
  case: string;
  verdict: string;
  truth: 'safe' | 'unsafe';
  /** Who decided. */
  by: string;
  /**
   * `learnt`: a precedent in force. `proposed`: waits for approval. `set-aside`: contradicts precedents in force, waits
   * for a person. `duplicate`, `known`: the library has it. `refused`: the lesson did not hold. `forgotten`: its
   * content is gone. `to-ask`: a dry run that would have had to pay.
   */
  outcome: 'learnt' | 'proposed' | 'set-aside' | 'duplicate' | 'known' | 'refused' | 'forgotten' | 'to-ask';
  why?: string;
  of?: string;
  against?: readonly string[];
  lesson?: Lesson;
  precedent?: KeptPrecedent;
}

export interface LearnOptions {
  jobs: Jobs;
  ledger: Ledger;
  seeds: readonly KeptPrecedent[];
  library: Library;
  /** Who learns. Each case has a curator of its own, under the policy it was decided by. */
  curator: { model: string; free: boolean; under(policy: Policy): Reasoner };
  secret: string;
  /** The cases that were judged rightly, too: the paper's sequential experiment. */
  all?: boolean;
  /** What is learnt waits for a person. */
  review?: boolean;
  /** Nothing is written, and nobody is asked who would have to be paid. */
  dryRun?: boolean;
  /** At most so many cases. */
  limit?: number;
  /** Cases studied at once. */
  concurrency?: number;
  onProgress?: (done: TakenCase) => void;
  signal?: AbortSignal;
}

type Standing = Decision & { verdict: string };
type Studied =
  | { decision: Standing; record: Case; study: PostMortem; said: Awaited<ReturnType<typeof curate>> | null }
  | { decision: Standing; record: null };

/**
 * Turns the mistakes on record into precedents: those whose verdict differs from what a person or the data says. What
 * was taken up is marked one by one, so that a run that was cut goes on and a second one adds nothing.
 *
 * @example const { cases } = await learn({ ledger, seeds, library, curator, secret })
 */
export async function learn(options: LearnOptions): Promise<LearnReport> {
  const { ledger, dryRun = false, all = false } = options;
  const admission = openAdmission({ ...options, store: ledger.precedents });
  const cases: TakenCase[] = [];
  let usage = noUsage;
  let stopped: string | null = null;
  for await (const studied of worked(candidates(options), options.concurrency ?? 4, (decision) =>
    study(decision, options),
  )) {
    if (studied.record && studied.said) usage = addUsage(usage, studied.said.usage);
    const taken = await settle(studied, admission, options);
    if (!dryRun && isSettled(taken)) await ledger.decisions.markLearnt([studied.decision.id]);
    cases.push(taken);
    options.onProgress?.(taken);
    if (studied.record && studied.said?.turn.fallback?.reason === 'budget') {
      stopped = 'The budget is spent: what is left is learnt the next time.';
      break;
    }
  }
  return {
    version: learnReportVersion,
    mode: all ? 'all' : 'failures',
    dryRun,
    curator: options.curator.model,
    cases,
    usage,
    stopped,
  };
}

/** The decided cases that nobody has learnt from, the oldest first. */
async function* candidates({
  jobs,
  ledger,
  all = false,
  limit = Infinity,
  signal,
}: LearnOptions): AsyncGenerator<{ decision: Standing; record: Case | undefined }, void, void> {
  let taken = 0;
  for await (const decision of ledger.decisions.readStandingDecisions({
    unlearnt: true,
    ...(all ? {} : { wrong: true }),
  })) {
    if (taken === limit) return;
    signal?.throwIfAborted();
    const record = await ledger.cases.findCase(decision.case);
    if (record && !jobs.find(record.job)?.learning) continue;
    taken += 1;
    yield { decision, record };
  }
}

async function study(
  { decision, record }: { decision: Standing; record: Case | undefined },
  { jobs, ledger, curator, secret, dryRun, signal }: LearnOptions,
): Promise<Studied> {
  if (!isKept(record)) return { decision, record: null };
  const { label, why, clause, by } = decision;
  const studied = postMortemOf(jobs.requireLearning(record.job), record.answer, { label, why, clause, by });
  if (dryRun && !curator.free) return { decision, record, study: studied, said: null };
  const policy = policyOnRecord(record.policy.document);
  const said = await curate(studied, {
    debate: record.id,
    policy,
    reasoner: curator.under(policy),
    journal: dryRun ? recallOnly(ledger.journal) : ledger.journal,
    secret,
    signal,
  });
  return { decision, record, study: studied, said };
}

async function settle(
  studied: Studied,
  admission: Admission,
  { ledger, signal, dryRun = false }: LearnOptions,
): Promise<TakenCase> {
  const { decision } = studied;
  const about = { case: decision.case, verdict: decision.verdict, truth: decision.label, by: decision.by };
  if (studied.record === null) return { ...about, outcome: 'forgotten' };
  const { record, study: studiedCase, said } = studied;
  if (said === null) return { ...about, outcome: 'to-ask' };
  const read = readLesson(said.turn, studiedCase);
  if ('problem' in read) return { ...about, outcome: 'refused', why: read.problem };
  const precedent = precedentOf(read, studiedCase, {
    case: record.id,
    subject: record.subject,
    policy: policyOnRecord(record.policy.document),
    curator: said.turn.reasoner,
    at: decision.at,
    ...datasetOf(decision),
  });
  const admitted = await admission.admit(precedent, signal);
  // A person may have asked to forget it in the meantime: then it teaches nothing, and what was just written goes too.
  if (!dryRun) {
    if (!isKept(await ledger.cases.findCase(record.id))) {
      await ledger.cases.forgetSubject(record.subject);
      return { ...about, outcome: 'forgotten' };
    }
  }
  return { ...about, ...admitted, precedent, lesson: read.lesson };
}

function recallOnly({ find }: Journal): Journal {
  return { find, insert: async (_debate, entry) => entry };
}

/** Whether a case has its answer still, and was not forgotten. */
function isKept(record: Case | undefined): record is Case & { answer: NonNullable<Case['answer']> } {
  return record !== undefined && record.forgottenAt === null && record.answer !== null;
}

/** What was refused is tried again: its answer is recalled, and another curator may do better. */
function isSettled({ outcome }: TakenCase): boolean {
  return outcome !== 'refused' && outcome !== 'to-ask';
}

function datasetOf({ by }: Decision): { dataset?: string } {
  return by.startsWith('dataset:') ? { dataset: by.slice('dataset:'.length) } : {};
}

/**
 * Works on a few items at once and hands the results over in the order of the items. Leaving early waits for what is
 * under way.
 */
export async function* worked<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      result.catch(() => {}); // Heard when it is its turn.
      underWay.push(result);
      if (underWay.length >= atOnce) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}
