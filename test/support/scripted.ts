import { z } from 'zod';
import { hashOf } from '@agonhq/engine/hash';
import { noUsage, findTurns, type Question, type Reasoner, type Role, type Seat } from '@agonhq/engine/debate';

const schema = z.object({ statement: z.string(), evidence: z.array(z.string()), score: z.number() });
type Speech = z.infer<typeof schema>;

/** A role that sees the whole transcript and says anything. */
export function speaker(id: string, instructions = `You are ${id}.`): Role<Speech> {
  return {
    id,
    schema,
    schemaName: 'speech',
    maxOutputTokens: 100,
    prompt: (question: Question) => ({
      instructions: 'Debate.',
      caseFile: question.caseFile.sources.map((source) => source.text).join('\n'),
      transcript: question.transcript
        .map((entry) =>
          entry.kind === 'turn'
            ? `${entry.key}: ${entry.statement}`
            : entry.kind === 'computed'
              ? `${entry.key}: ${JSON.stringify(entry.value)}`
              : '',
        )
        .join('\n'),
      task: instructions,
    }),
    read: (answer) => ({ statement: answer.statement, score: answer.score, quotes: answer.evidence }),
    fallback: (question) => ({
      statement: 'No answer.',
      evidence: [],
      score: findTurns(question.transcript).findLast((turn) => turn.seat === question.seat)?.score ?? 0.5,
    }),
  };
}

export interface ScriptedReasoner extends Reasoner {
  calls: { seat: string; round: number | null }[];
  running: number;
}

/**
 * A reasoner whose every answer is a function of its question alone, after a delay in milliseconds that is one too
 * (so that turns spoken together finish in any order). `say` may replace an answer or throw.
 */
export function scriptedReasoner(
  options: { delay?: (seat: string) => number; say?: (question: Question) => Partial<Speech> | Error } = {},
): ScriptedReasoner {
  const reasoner: ScriptedReasoner = {
    id: 'test:scripted',
    fingerprint: 'test:scripted',
    vision: false,
    calls: [],
    running: 0,
    async answer(role, question, { signal, onDelta }) {
      reasoner.calls.push({ seat: question.seat, round: question.round });
      reasoner.running += 1;
      try {
        await pause(options.delay?.(question.seat) ?? 0, signal);
        const digest = hashOf(role.prompt(question)).slice(7);
        const said = options.say?.(question) ?? {};
        if (said instanceof Error) throw said;
        const speech = {
          statement: `I say ${digest.slice(0, 8)}.`,
          evidence: [],
          score: Number.parseInt(digest.slice(0, 2), 16) / 255,
          ...said,
        };
        for (const word of speech.statement.split(' ')) onDelta?.(word);
        return {
          outcome: 'answered',
          value: speech as never,
          usage: { ...noUsage, calls: 1 },
          latencyMs: 1,
          model: 'test:scripted',
          raw: '',
        };
      } finally {
        reasoner.running -= 1;
      }
    },
  };
  return reasoner;
}

export function seatOf(id: string, reasoner: Reasoner, instructions?: string): Seat {
  return { id, role: speaker(id, instructions), reasoner };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
    function done() {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal.reason);
    }
  });
}
