import type { Usage } from '@agonhq/engine/debate';
import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import type { Job, JobAnswer, Jobs, JudgeEvent, JudgeOptions, OpenJob } from '@agonhq/judges/job';
import type { Policy } from '@agonhq/engine/policy';
import type { CaseProblem, Ledger } from '@agonhq/ledger';
import type { Settings } from '../settings/index.ts';
import { openKits } from './open-kits.ts';
import { closeSenses } from './open-senses.ts';
import type { AgonParts } from './parts.ts';

/** Jobs, put together once and used for any number of subjects. */
export interface JobAgon {
  policy: Policy;
  /** The jobs that it knows. */
  jobs: Jobs;
  /**
   * Judges a subject of any job: yields what happens as it happens, returns the answer.
   *
   * @example for await (const event of agon.judge(moderationJob, 'some text')) console.log(event.type)
   */
  judge<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>(
    job: Job<Input, Answer, Event, Options>,
    input: Input,
    options?: Options,
  ): AsyncGenerator<Event, Answer, void>;
  /** What made the answers of a job, as each of them carries it: the configuration's hash among other things. */
  provenanceOf<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>(
    job: Job<Input, Answer, Event, Options>,
  ): Answer['provenance'];
  /** What all calls cost so far. */
  spent(): Usage;
  close(): Promise<void>;
}

/** Puts jobs together, whichever they are: what `createAgon` does for the three that Agon comes with. */
export async function openAgon(settings: Settings, { jobs, ...parts }: AgonParts & { jobs: Jobs }): Promise<JobAgon> {
  const kits = await openKits(settings, jobs, parts);
  const opened = new Map<string, OpenJob | AgonError>();
  for (const job of jobs.list()) if (parts.only?.includes(job.id) ?? true) opened.set(job.id, attempt(job));
  const all = [...opened.values()];
  if (parts.only || all.every((one) => AgonError.is(one))) for (const one of all) if (AgonError.is(one)) throw one;

  /** A job as far as it could be put together: what is wrong with one must not keep the others from their work. */
  function attempt(job: Job): OpenJob | AgonError {
    try {
      return job.open(kits.kitFor(job));
    } catch (error) {
      if (AgonError.is(error)) return error;
      throw error;
    }
  }

  /** The one place where a job's types are lost and found: what is kept under its id is what it opened. */
  function find<Input, Answer extends JobAnswer, Event extends JudgeEvent, Options extends JudgeOptions>({
    id,
  }: Job<Input, Answer, Event, Options>): OpenJob<Input, Answer, Event, Options> {
    const open = opened.get(id);
    if (open === undefined)
      throw new AgonError('other-job', `This Agon was not made for ${id}.`, `Name it in parts.only: ["${id}"].`);
    if (AgonError.is(open)) throw open;
    return open as unknown as OpenJob<Input, Answer, Event, Options>;
  }

  return {
    policy: kits.policy,
    jobs,
    async *judge(job, input, options) {
      return yield* attendCase(find(job).judge(input, options), kits.ledger);
    },
    provenanceOf: (job) => find(job).provenance(),
    spent: () => kits.pool.spent(),
    async close() {
      // Whoever handed a ledger in closes it.
      if (!parts.ledger) await kits.ledger?.close();
      await Promise.all([closeSenses(), parts.pool ? undefined : kits.pool.close?.()]);
    },
  };
}

/** How often whoever holds debates says so; a ledger waits for four times as long. */
const everyMs = 15_000;

/** The trials that are held with a ledger, and what tells it so regularly. */
const held = new WeakMap<Ledger, { trials: Set<{ id: string }>; timer: NodeJS.Timeout }>();

/** Says that a case is held until the function that this returns is called. */
function holdCase(ledger: Ledger, id: string): () => void {
  let known = held.get(ledger);
  if (!known) {
    const trials = new Set<{ id: string }>();
    // A word that is lost is followed by the next.
    const tell = () =>
      ledger.cases.holdCases([...new Set([...trials].map((trial) => trial.id))]).catch(() => undefined);
    held.set(ledger, (known = { trials, timer: setInterval(() => void tell(), everyMs).unref() }));
  }
  const { trials, timer } = known;
  // One case may be tried twice at a time.
  const trial = { id };
  trials.add(trial);
  return () => {
    trials.delete(trial);
    if (trials.size > 0) return;
    clearInterval(timer);
    held.delete(ledger);
  };
}

/** Passes a trial on; while it is held its case is said to be, and when it ends without an answer, why. */
async function* attendCase<Event extends object, Answer>(
  trial: AsyncGenerator<Event, Answer, void>,
  ledger: Ledger | null,
): AsyncGenerator<Event, Answer, void> {
  if (!ledger) return yield* trial;
  let id: string | null = null;
  let letGo = () => {};
  let problem: CaseProblem | null = describeProblem(leftError);
  try {
    for (let step = await trial.next(); ; step = await trial.next()) {
      if (step.done) {
        problem = null;
        return step.value;
      }
      if (id === null) {
        id = readDebate(step.value);
        if (id !== null) letGo = holdCase(ledger, id);
      }
      yield step.value;
    }
  } catch (error) {
    problem = describeProblem(error);
    throw error;
  } finally {
    await trial.return(undefined as never);
    letGo();
    // What went wrong is what counts, also where the ledger can no longer be told.
    if (id !== null && problem) await ledger.cases.interruptCase(id, problem).catch(() => undefined);
  }
}

function readDebate(event: object): string | null {
  return 'debate' in event && typeof event.debate === 'string' ? event.debate : null;
}

const leftError = new AgonError('cancelled', 'Nobody waited for it any more.', 'Judge it again to go on.');

/** Who cancelled says why. */
function describeProblem(error: unknown): CaseProblem {
  const known = AgonError.is(error) && AgonError.is(error.cause) ? error.cause : error;
  return AgonError.is(known)
    ? { code: known.code, message: known.message, hint: hintFor(known, 'api') }
    : { code: 'internal', message: 'Something went wrong inside Agon.', hint: 'Judge it again to go on.' };
}
