import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import type { CaseProblem, Ledger } from '@agonhq/ledger';

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
export async function* attendCase<Event extends object, Answer>(
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
