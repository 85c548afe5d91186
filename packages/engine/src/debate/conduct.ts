import { AgonError } from '../agon-error.ts';
import { collectCalls, createChannel, linkAbort } from './channel.ts';
import type { CaseFile } from './case-file.ts';
import { createFence, type Fence } from './lay-out-prompt.ts';
import { hashComputeInput, hashTurnInput, takeTurn } from './take-turn.ts';
import { memoryJournal, type Journal, type JournalEntry } from './journal.ts';
import type { ModelCall } from './model-call.ts';
import type { Protocol } from './protocol.ts';
import type { Seat } from './reasoner.ts';
import type { Computed, Entry, Transcript, Turn } from './transcript.ts';

interface InDebate {
  debate: string;
  scope: string | null;
}

/** What happens in a debate, as it happens. */
export type DebateEvent = InDebate &
  (
    | { type: 'turn-start'; key: string; seat: string; role: string; round: number | null; reasoner: string }
    | { type: 'turn-delta'; key: string; seat: string; delta: string }
    | { type: 'turn-end'; key: string; turn: Turn; replayed: boolean }
    | { type: 'compute-end'; key: string; computed: Computed; replayed: boolean }
    | { type: 'round-end'; round: number; stop: string | null }
    | { type: 'debate-end'; transcript: Transcript }
  );

/** The conditions of a debate: its id, fence and journal, and how it is stopped. */
export interface ConductOptions {
  /** The debate's id: with an entry's key and the hash of its input, its address in the journal. */
  debate: string;
  /**
   * What sets untrusted text apart in prompts: `createFence(caseFile, secret)`. Without one, whoever knows the case can
   * tell its mark.
   */
  fence?: Fence;
  /** Prefix of all keys, when a job conducts several debates on one subject (`claim-07`). */
  scope?: string;
  journal?: Journal;
  signal?: AbortSignal;
  /** A hard cap, whatever the protocol says. */
  maxTurns?: number;
  /** Ask reasoners to stream, so that `turn-delta` events come. */
  stream?: boolean;
}

/** Where in the protocol a step stands. */
interface Position {
  path: string;
  round: number | null;
}

// Distributes over the union, so that each kind of event keeps its own fields.
type EventBody<Event = DebateEvent> = Event extends DebateEvent ? Omit<Event, 'debate' | 'scope'> : never;

/**
 * Runs a protocol over a case file, yields what happens as it happens, and returns the transcript.
 * Leaving the loop early, or aborting the signal, stops every call in flight before this returns.
 *
 * @example for await (const event of conduct(protocol, caseFile, { debate: 'd1' })) console.log(event.type)
 */
export async function* conduct<Case extends CaseFile>(
  protocol: Protocol<Case>,
  caseFile: Case,
  options: ConductOptions,
): AsyncGenerator<DebateEvent, Transcript, void> {
  const events = createChannel<DebateEvent>();
  const stop = linkAbort(options.signal);
  const trial = startTrial(caseFile, options, stop.signal, (event) => {
    events.push({ ...event, debate: options.debate, scope: options.scope ?? null });
  });
  const running = trial(protocol).finally(() => events.close());
  running.catch(() => {}); // Observed below, once the events that came before the failure are out.
  let over = false;
  try {
    yield* events;
    const transcript = await running;
    over = true;
    return transcript;
  } catch (error) {
    throw options.signal?.aborted ? cancelledError(options.signal.reason) : error;
  } finally {
    if (!over) stop.abort();
    await Promise.allSettled([running]);
    stop.release();
  }
}

function startTrial<Case extends CaseFile>(
  caseFile: Case,
  options: ConductOptions,
  signal: AbortSignal,
  emit: (event: EventBody) => void,
) {
  const journal = options.journal ?? memoryJournal();
  const fence: Fence = options.fence ?? ((label, text) => createFence(caseFile, '')(label, text));
  const maxTurns = options.maxTurns ?? 200;
  const keys = new Set<string>();
  let turns = 0;

  return async function trial(protocol: Protocol<Case>): Promise<Transcript> {
    const transcript = await run(protocol, [], { path: options.scope ? `${options.scope}/` : '', round: null }, signal);
    emit({ type: 'debate-end', transcript });
    return transcript;
  };

  /** Runs one step in view of a transcript and returns the entries it adds, in the protocol's order. */
  async function run(
    step: Protocol<Case>,
    before: Transcript,
    position: Position,
    signal: AbortSignal,
  ): Promise<Entry[]> {
    signal.throwIfAborted();
    switch (step.kind) {
      case 'turn':
        return [await speak(step.seat, before, position, signal)];
      case 'compute':
        return [await work(step, before, position, signal)];
      case 'in-order': {
        const added: Entry[] = [];
        for (const next of step.steps) added.push(...(await run(next, [...before, ...added], position, signal)));
        return added;
      }
      case 'together':
        return runTogether(step.steps, before, position, signal);
      case 'rounds':
        return runRounds(step, before, position, signal);
    }
  }

  /** Entries come in the order the protocol names them, whoever finishes first. One failure stops the others. */
  async function runTogether(
    steps: readonly Protocol<Case>[],
    before: Transcript,
    position: Position,
    outer: AbortSignal,
  ) {
    const stop = linkAbort(outer);
    let failure: { error: unknown } | undefined;
    const branches = steps.map((step) =>
      run(step, before, position, stop.signal).catch((error: unknown) => {
        failure ??= { error };
        stop.abort(error);
        return [];
      }),
    );
    const added = await Promise.all(branches);
    stop.release();
    if (failure) throw failure.error;
    return added.flat();
  }

  async function runRounds(
    step: Extract<Protocol<Case>, { kind: 'rounds' }>,
    before: Transcript,
    position: Position,
    signal: AbortSignal,
  ): Promise<Entry[]> {
    const added: Entry[] = [];
    for (let round = 1; round <= step.max; round++) {
      const path = `${position.path}round-${round}/`;
      added.push(...(await run(step.step, [...before, ...added], { path, round }, signal)));
      const agreed = step.until([...before, ...added]);
      const reason = agreed ?? (round === step.max ? 'last-round' : null);
      emit({ type: 'round-end', round, stop: reason });
      if (reason === null) continue;
      added.push({ kind: 'stop', key: `${path}stop`, round, reason });
      break;
    }
    return added;
  }

  async function speak(
    seat: Seat<Case>,
    before: Transcript,
    { path, round }: Position,
    signal: AbortSignal,
  ): Promise<Turn> {
    turns += 1;
    if (turns > maxTurns) throw tooManyTurns(maxTurns);
    const question = { caseFile, transcript: before, round, seat: seat.id, fence };
    const place = { key: claim(`${path}${seat.id}`), inputHash: hashTurnInput(seat, question) };
    const about = { key: place.key, seat: seat.id, role: seat.role.id, round, reasoner: seat.reasoner.id };
    const { entry, replayed } = await recallOr(place, isTurn, async () => {
      emit({ type: 'turn-start', ...about });
      const onDelta = (delta: string) => emit({ type: 'turn-delta', key: place.key, seat: seat.id, delta });
      const asked = { signal, ...(options.stream ? { onDelta } : {}) };
      const { turn, calls } = await takeTurn(seat, question, place, asked);
      return { made: turn, calls };
    });
    emit({ type: 'turn-end', key: place.key, turn: entry, replayed });
    return entry;
  }

  async function work(
    step: Extract<Protocol<Case>, { kind: 'compute' }>,
    before: Transcript,
    { path, round }: Position,
    signal: AbortSignal,
  ): Promise<Computed> {
    const inputHash = hashComputeInput(step.name, step.parameters, caseFile, before);
    const place = { key: claim(`${path}${step.name}`), inputHash };
    const { entry, replayed } = await recallOr(place, isComputed, async () => {
      const { result: value, calls } = await collectCalls(async () =>
        step.compute({ caseFile, transcript: before, round, signal }),
      );
      return { made: { kind: 'computed' as const, ...place, name: step.name, round, value }, calls };
    });
    emit({ type: 'compute-end', key: place.key, computed: entry, replayed });
    return entry;
  }

  async function recallOr<E extends JournalEntry>(
    place: { key: string; inputHash: string },
    isKind: (entry: JournalEntry) => entry is E,
    make: () => Promise<{ made: E; calls: readonly ModelCall[] }>,
  ): Promise<{ entry: E; replayed: boolean }> {
    const recalled = await journal.find(options.debate, place.key, place.inputHash);
    if (recalled && isKind(recalled)) return { entry: recalled, replayed: true };
    const { made, calls } = await make();
    if (isPassing(made)) {
      if (calls.length > 0) await journal.keepCalls?.(options.debate, place, calls);
      return { entry: made, replayed: false };
    }
    const standing = await journal.insert(options.debate, made, calls);
    return { entry: isKind(standing) ? standing : made, replayed: false };
  }

  function claim(key: string): string {
    if (keys.has(key)) {
      throw new AgonError(
        'duplicate-key',
        `Two steps of the protocol have the key ${key}.`,
        'Give each seat its own id.',
      );
    }
    keys.add(key);
    return key;
  }
}

function isTurn(entry: JournalEntry): entry is Turn {
  return entry.kind === 'turn';
}

function isComputed(entry: JournalEntry): entry is Computed {
  return entry.kind === 'computed';
}

/**
 * A seat that could not be reached or paid may be heard the next time: its stand-in is not for the record of debates.
 */
function isPassing(entry: JournalEntry): boolean {
  return entry.kind === 'turn' && ['timeout', 'unavailable', 'budget'].includes(entry.fallback?.reason ?? '');
}

function tooManyTurns(maxTurns: number): AgonError {
  return new AgonError(
    'too-many-turns',
    `The debate went over its cap of ${maxTurns} turns.`,
    'Lower the number of rounds or seats, or raise maxTurns.',
  );
}

/** What a debate ends with when its caller stops it. */
export function cancelledError(reason: unknown): AgonError {
  return new AgonError(
    'cancelled',
    'The debate was cancelled.',
    'Run it again to go on: answered turns are recalled from the journal.',
    {
      cause: reason,
    },
  );
}

/**
 * What a trial comes to, for whoever does not want to watch it.
 *
 * @example const answer = await resultOf(agon.judge(moderationJob, '…'))
 */
export async function resultOf<Result>(trial: AsyncGenerator<unknown, Result, void>): Promise<Result> {
  for (let next = await trial.next(); ; next = await trial.next()) if (next.done) return next.value;
}
