import { AgonError, hintFor } from '../errors.ts';
import type { CaseProblem, Ledger } from '../ledger/index.ts';

/** How often whoever holds debates says so; a ledger waits for four times as long. */
const everyMs = 15_000;

const held = new WeakMap<Ledger, Set<string>>();

/** The cases that are held with a ledger; as long as there are any, it is told so regularly. */
function listHeld(ledger: Ledger): Set<string> {
  let cases = held.get(ledger);
  if (!cases) {
    const own = (cases = new Set<string>());
    held.set(ledger, own);
    // A word that is lost is followed by the next.
    const tell = () => (own.size > 0 ? ledger.cases.holdCases([...own]) : Promise.resolve()).catch(() => undefined);
    setInterval(() => void tell(), everyMs).unref();
  }
  return cases;
}

/** Passes a trial on; while it is held its case is said to be, and when it ends without an answer, why. */
export async function* attendCase<Event extends object, Answer>(
  trial: AsyncGenerator<Event, Answer, void>,
  ledger: Ledger | null,
): AsyncGenerator<Event, Answer, void> {
  if (!ledger) return yield* trial;
  const cases = listHeld(ledger);
  let id: string | null = null;
  let problem: CaseProblem | null = describeProblem(leftError);
  try {
    for (let step = await trial.next(); ; step = await trial.next()) {
      if (step.done) {
        problem = null;
        return step.value;
      }
      id ??= readDebate(step.value);
      if (id !== null) cases.add(id);
      yield step.value;
    }
  } catch (error) {
    problem = describeProblem(error);
    throw error;
  } finally {
    await trial.return(undefined as never);
    if (id !== null) {
      cases.delete(id);
      // What went wrong is what counts, also where the ledger can no longer be told.
      if (problem) await ledger.cases.interruptCase(id, problem).catch(() => undefined);
    }
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
