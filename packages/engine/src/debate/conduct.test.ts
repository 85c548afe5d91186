import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptedReasoner, seatOf, type ScriptedReasoner } from '@agonhq/test/support/scripted.ts';
import {
  compute,
  conduct,
  defineStep,
  inOrder,
  memoryJournal,
  rounds,
  together,
  turn,
  findTurns,
  type ConductOptions,
  type DebateEvent,
  type Journal,
  type Protocol,
  type Transcript,
} from './index.ts';

const caseFile = { sources: [{ id: 'text', text: 'How do I kill a process on Linux?' }] };

async function debate(protocol: Protocol, options: Partial<ConductOptions> = {}, file = caseFile) {
  const events: DebateEvent[] = [];
  const conducted = conduct(protocol, file, { debate: 'd', ...options });
  let next = await conducted.next();
  for (; !next.done; next = await conducted.next()) events.push(next.value);
  return { events, transcript: next.value };
}

/** Any protocol over seats a, b, c, … with at most a dozen turns. */
const shapes = fc.letrec<{ step: (reasoner: ScriptedReasoner, names: Iterator<string>) => Protocol }>((tie) => ({
  step: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant((reasoner: ScriptedReasoner, names: Iterator<string>) => turn(seatOf(names.next().value, reasoner))),
    fc.constant((_: ScriptedReasoner, names: Iterator<string>) =>
      compute(defineStep(`count-${names.next().value!}`), ({ transcript }) => ({ heard: transcript.length })),
    ),
    fc.tuple(fc.constantFrom(together, inOrder), fc.array(tie('step'), { minLength: 1, maxLength: 3 })).map(
      ([combine, steps]) =>
        (reasoner: ScriptedReasoner, names: Iterator<string>) =>
          combine(...steps.map((step) => step(reasoner, names))),
    ),
    fc.tuple(fc.integer({ min: 1, max: 3 }), tie('step')).map(
      ([max, step]) =>
        (reasoner: ScriptedReasoner, names: Iterator<string>) =>
          rounds(
            {
              max,
              until: (transcript) => ((findTurns(transcript).at(-1)?.score ?? 1) < 0.3 ? 'low-score' : undefined),
            },
            step(reasoner, names),
          ),
    ),
  ),
}));

function* letters() {
  for (let index = 0; ; index++) yield `seat-${index}`;
}

/** A journal that crashes the process, so to speak, at its n-th insertion. */
function cutAt(journal: Journal, entries: number): Journal {
  let inserted = 0;
  return {
    find: journal.find,
    insert: async (id, entry) => {
      if (inserted === entries) throw new Error('crash');
      inserted += 1;
      return journal.insert(id, entry);
    },
  };
}

describe('a protocol is who speaks when', () => {
  test('turns in order see each other; turns together do not', async () => {
    const reasoner = scriptedReasoner();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => seatOf(id, reasoner));
    const seen: Record<string, number> = {};
    for (const seat of [a!, b!, c!]) {
      const { prompt } = seat.role;
      seat.role = {
        ...seat.role,
        prompt: (question) => ((seen[seat.id] = question.transcript.length), prompt(question)),
      };
    }
    const { transcript } = await debate(inOrder(turn(a!), together(turn(b!), turn(c!))));
    expect(transcript.map((entry) => entry.key)).toEqual(['a', 'b', 'c']);
    expect(seen).toEqual({ a: 0, b: 1, c: 1 });
  });

  test('keys name scope, round and seat, and rounds stop for a stated reason', async () => {
    const reasoner = scriptedReasoner({ say: () => ({ score: 0.1 }) });
    const seat = seatOf('auditor#2', reasoner);
    const until = (transcript: Transcript) => (findTurns(transcript).length === 2 ? 'agreed' : undefined);
    const { transcript, events } = await debate(rounds({ max: 5, until }, turn(seat)), { scope: 'claim-07' });
    expect(transcript.map((entry) => entry.key)).toEqual([
      'claim-07/round-1/auditor#2',
      'claim-07/round-2/auditor#2',
      'claim-07/round-2/stop',
    ]);
    expect(transcript.at(-1)).toMatchObject({ kind: 'stop', round: 2, reason: 'agreed' });
    expect(events.every((event) => event.debate === 'd' && event.scope === 'claim-07')).toBe(true);
    expect(events.filter((event) => event.type === 'round-end').map((event) => event.stop)).toEqual([null, 'agreed']);
  });

  test('events of turns spoken together interleave, but the transcript is the same whoever is faster', async () => {
    const run = async (fast: string) => {
      const reasoner = scriptedReasoner({ delay: (seat) => (seat === fast ? 0 : 15) });
      const step = together(turn(seatOf('strict', reasoner)), turn(seatOf('loose', reasoner)));
      return debate(rounds({ max: 2 }, step), { stream: true });
    };
    const [first, second] = await Promise.all([run('strict'), run('loose')]);
    expect(first.transcript).toEqual(second.transcript);
    const ends = (events: DebateEvent[]) =>
      events.filter((event) => event.type === 'turn-end').map((event) => event.key);
    expect(ends(first.events)[0]).toBe('round-1/strict');
    expect(ends(second.events)[0]).toBe('round-1/loose');
    expect(first.events.some((event) => event.type === 'turn-delta')).toBe(true);
  });

  test('a hard cap on turns holds, whatever the protocol says', async () => {
    const reasoner = scriptedReasoner();
    const endless = rounds({ max: 1_000_000 }, turn(seatOf('a', reasoner)));
    await expect(debate(endless, { maxTurns: 7 })).rejects.toMatchObject({ code: 'too-many-turns' });
    expect(reasoner.calls).toHaveLength(7);
  });

  test('two steps with one key are refused', async () => {
    const seat = seatOf('a', scriptedReasoner());
    await expect(debate(inOrder(turn(seat), turn(seat)))).rejects.toMatchObject({ code: 'duplicate-key' });
  });
});

describe('the journal', () => {
  test('law: a resumed debate equals one that was never interrupted, whatever entry it was cut at', async () => {
    await fc.assert(
      fc.asyncProperty(shapes.step, fc.nat(20), async (shape, cut) => {
        const uninterrupted = scriptedReasoner();
        const expected = await debate(shape(uninterrupted, letters()));

        const journal = memoryJournal();
        const interrupted = scriptedReasoner();
        await debate(shape(interrupted, letters()), { journal: cutAt(journal, cut) }).catch((error: Error) => {
          expect(error.message).toBe('crash');
        });
        const resumed = scriptedReasoner();
        const actual = await debate(shape(resumed, letters()), { journal });

        expect(actual.transcript).toEqual(expected.transcript);
        const recalled = actual.events.filter((event) => event.type === 'turn-end' && event.replayed).length;
        expect(resumed.calls.length + recalled).toBe(uninterrupted.calls.length);
      }),
      { numRuns: 150 },
    );
  });

  test('law: a debate that was finished is replayed without a single call', async () => {
    await fc.assert(
      fc.asyncProperty(shapes.step, async (shape) => {
        const journal = memoryJournal();
        const first = await debate(shape(scriptedReasoner(), letters()), { journal });
        const reasoner = scriptedReasoner();
        const again = await debate(shape(reasoner, letters()), { journal });
        expect(again.transcript).toEqual(first.transcript);
        expect(reasoner.calls).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  const retrieval = (precedents: string[]) => compute(defineStep('precedents'), () => precedents, { precedents });
  const threeSpeakers = (reasoner: ScriptedReasoner, precedents: string[], secondSays = 'You are second.') =>
    inOrder(
      turn(seatOf('first', reasoner)),
      retrieval(precedents),
      turn(seatOf('second', reasoner, secondSays)),
      turn(seatOf('third', reasoner)),
    );

  test('a changed prompt re-runs its own turn and what hears it, and recalls the rest', async () => {
    const journal = memoryJournal();
    await debate(threeSpeakers(scriptedReasoner(), ['p1']), { journal });
    const reasoner = scriptedReasoner();
    await debate(threeSpeakers(reasoner, ['p1'], 'You are second, and stern.'), { journal });
    expect(reasoner.calls.map((call) => call.seat)).toEqual(['second', 'third']);
  });

  test('a changed precedent re-runs what its input touches', async () => {
    const journal = memoryJournal();
    await debate(threeSpeakers(scriptedReasoner(), ['p1', 'p2']), { journal });
    const reasoner = scriptedReasoner();
    const { events } = await debate(threeSpeakers(reasoner, ['p2']), { journal });
    expect(reasoner.calls.map((call) => call.seat)).toEqual(['second', 'third']);
    expect(events.find((event) => event.type === 'compute-end')).toMatchObject({ replayed: false });
  });

  test('a turn that says the same again leaves those who hear it untouched', async () => {
    const journal = memoryJournal();
    const say = (question: { seat: string }) =>
      question.seat === 'second' ? { statement: 'As ever.', score: 0.5 } : {};
    await debate(threeSpeakers(scriptedReasoner({ say }), ['p1']), { journal });
    const reasoner = scriptedReasoner({ say });
    await debate(threeSpeakers(reasoner, ['p1'], 'Say it differently.'), { journal });
    expect(reasoner.calls.map((call) => call.seat)).toEqual(['second']);
  });

  test('another debate, another case file or another reasoner shares nothing', async () => {
    const journal = memoryJournal();
    const protocol = (reasoner: ScriptedReasoner) => turn(seatOf('a', reasoner));
    await debate(protocol(scriptedReasoner()), { journal });
    const calls = async (change: { debate?: string; text?: string; fingerprint?: string }) => {
      const reasoner = { ...scriptedReasoner(), ...(change.fingerprint ? { fingerprint: change.fingerprint } : {}) };
      const file = change.text ? { sources: [{ id: 'text', text: change.text }] } : caseFile;
      await debate(protocol(reasoner), { journal, ...(change.debate ? { debate: change.debate } : {}) }, file);
      return reasoner.calls.length;
    };
    expect(await calls({})).toBe(0);
    expect(await calls({ debate: 'other' })).toBe(1);
    expect(await calls({ text: 'Another text.' })).toBe(1);
    expect(await calls({ fingerprint: 'another model' })).toBe(1);
  });
});

test.each([
  ['unavailable', false],
  ['timeout', false],
  ['budget', false],
  ['refused', true],
  ['malformed', true],
  ['content-filter', true],
] as const)('where a seat fell silent (%s), that this is recalled the next time is %s', async (reason, isRecalled) => {
  const journal = memoryJournal();
  const down = scriptedReasoner();
  const { answer } = down;
  down.answer = async (role, question, options) => ({
    ...(await answer(role, question, options)),
    outcome: 'failed',
    reason,
    detail: 'HTTP 503',
  });
  const first = await debate(turn(seatOf('a', down)), { journal });
  expect(findTurns(first.transcript)[0]!.fallback?.reason).toBe(reason);
  const up = scriptedReasoner();
  const second = await debate(turn(seatOf('a', up)), { journal });
  expect(up.calls).toHaveLength(isRecalled ? 0 : 1);
  expect(findTurns(second.transcript)[0]!.fallback?.reason).toBe(isRecalled ? reason : undefined);
});

describe('evidence', () => {
  const quoting = (...attempts: string[][]) => {
    let attempt = 0;
    return scriptedReasoner({
      say: () => ({ evidence: attempts[Math.min(attempt++, attempts.length - 1)]! }),
    });
  };

  test('is verified to its place in the source', async () => {
    const { transcript } = await debate(turn(seatOf('a', quoting(['kill a process']))));
    expect(findTurns(transcript)[0]!.evidence).toEqual([
      { quote: 'kill a process', source: 'text', start: 9, end: 23, verified: true },
    ]);
  });

  test('that is nowhere is sent back once, and put right', async () => {
    const reasoner = quoting(['kill a person'], ['kill a process']);
    const { transcript } = await debate(turn(seatOf('a', reasoner)));
    expect(reasoner.calls).toHaveLength(2);
    expect(findTurns(transcript)[0]).toMatchObject({
      evidence: [{ verified: true }],
      usage: { calls: 2 },
      notes: [expect.stringContaining('put right')],
    });
  });

  test('that is nowhere twice is struck', async () => {
    const reasoner = quoting(['kill a person']);
    const { transcript } = await debate(turn(seatOf('a', reasoner)));
    expect(reasoner.calls).toHaveLength(2);
    expect(findTurns(transcript)[0]).toMatchObject({
      evidence: [{ quote: 'kill a person', verified: false }],
      notes: [expect.stringContaining('struck')],
    });
  });
});

describe('cancellation', () => {
  test('at any point stops every call in flight before conduct returns', async () => {
    await fc.assert(
      fc.asyncProperty(shapes.step, fc.nat(8), async (shape, eventsBefore) => {
        const controller = new AbortController();
        const reasoner = scriptedReasoner({ delay: () => 2 });
        const conducted = conduct(shape(reasoner, letters()), caseFile, { debate: 'd', signal: controller.signal });
        let seen = 0;
        try {
          for await (const event of conducted)
            if (++seen > eventsBefore && event.type !== 'debate-end') controller.abort(new Error('enough'));
        } catch (error) {
          expect(error).toMatchObject({ code: 'cancelled' });
        }
        expect(reasoner.running).toBe(0);
        const calls = reasoner.calls.length;
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect(reasoner.calls.length).toBe(calls);
      }),
      { numRuns: 40 },
    );
  });

  test('leaving the loop stops the debate too', async () => {
    const reasoner = scriptedReasoner({ delay: () => 60_000 });
    const step = together(turn(seatOf('a', reasoner)), turn(seatOf('b', reasoner)));
    for await (const event of conduct(step, caseFile, { debate: 'd' })) if (event.type === 'turn-start') break;
    expect(reasoner.running).toBe(0);
  });

  test('a debate cancelled before it began calls nobody', async () => {
    const reasoner = scriptedReasoner();
    const signal = AbortSignal.abort();
    await expect(debate(turn(seatOf('a', reasoner)), { signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(reasoner.calls).toEqual([]);
  });
});

describe('failure', () => {
  test('of one of those speaking together stops the others and is thrown', async () => {
    const reasoner = scriptedReasoner({
      delay: (seat) => (seat === 'bad' ? 1 : 60_000),
      say: ({ seat }) => (seat === 'bad' ? new Error('a bug') : {}),
    });
    const step = together(turn(seatOf('good', reasoner)), turn(seatOf('bad', reasoner)));
    await expect(debate(step)).rejects.toThrow('a bug');
    expect(reasoner.running).toBe(0);
  });

  test("of a provider becomes the role's fallback, visibly: 0.5 first, the previous score later", async () => {
    let call = 0;
    const reasoner = scriptedReasoner({ say: () => ({ score: 0.9 }) });
    const { answer } = reasoner;
    reasoner.answer = async (role, question, options) => {
      const heard = await answer(role, question, options);
      return ++call === 2
        ? { ...heard, outcome: 'failed', reason: 'refused', detail: 'I cannot help with that.' }
        : heard;
    };
    const other = scriptedReasoner();
    other.answer = async (role, question, options) => ({
      ...(await answer(role, question, options)),
      outcome: 'failed',
      reason: 'timeout',
      detail: '',
    });
    const { transcript } = await debate(
      inOrder(turn(seatOf('mute', other)), rounds({ max: 2 }, turn(seatOf('a', reasoner)))),
    );
    expect(findTurns(transcript).map((heard) => [heard.key, heard.score, heard.fallback?.reason])).toEqual([
      ['mute', 0.5, 'timeout'],
      ['round-1/a', 0.9, undefined],
      ['round-2/a', 0.9, 'refused'],
    ]);
  });
});
