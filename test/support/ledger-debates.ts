import {
  compute,
  defineStep,
  conduct,
  inOrder,
  noUsage,
  rounds,
  sealAnswer,
  together,
  turn,
  findTurns,
  sumUsage,
  type Answer,
  type Journal,
  type Reasoner,
  type Transcript,
} from '@agonhq/engine/debate';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '@agonhq/ledger';
import { answerTo, openedCase, recordAnswer } from './ledger-cases.ts';
import { seatOf } from './scripted.ts';

const atOnce = 4;

/**
 * Holds debates number 0 to `count`, some at once, with seats that a provider over HTTP fills; says what the ledger
 * acknowledged.
 */
export async function holdDebates(
  ledger: Ledger,
  provider: string,
  count: number,
  acknowledged: (line: string) => void,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await holdDebate(ledger, provider, `debate-${next++}`, acknowledged);
    }),
  );
}

export function entryLine(debate: string, key: string, inputHash: string, hash: string): string {
  return [debate, key, inputHash, hash].join(' ');
}

async function holdDebate(
  ledger: Ledger,
  provider: string,
  id: string,
  acknowledged: (line: string) => void,
): Promise<void> {
  const text = `What was said in ${id}.`;
  await ledger.cases.openCase(openedCase(id, { text }));
  const journal: Journal = {
    find: ledger.journal.find,
    async insert(debate, entry) {
      const standing = await ledger.journal.insert(debate, entry);
      acknowledged(entryLine(debate, entry.key, entry.inputHash, hashOf(standing)));
      return standing;
    },
  };
  const reasoner = providerReasoner(provider, id);
  const protocol = inOrder(
    turn(seatOf('supporter', reasoner)),
    rounds(
      { max: 2, until: () => undefined },
      together(turn(seatOf('strict', reasoner)), turn(seatOf('loose', reasoner))),
    ),
    turn(seatOf('arbiter', reasoner)),
    compute(defineStep('adjudication'), ({ transcript }) => ({ score: findTurns(transcript).at(-1)!.score })),
  );
  const trial = conduct(protocol, { sources: [{ id: 'text', text }] }, { debate: id, journal });
  let step = await trial.next();
  while (!step.done) step = await trial.next();
  await recordAnswer(ledger, answerOf(id, step.value));
}

function answerOf(id: string, transcript: Transcript): Answer {
  const { seal: _, ...content } = answerTo(id);
  return sealAnswer({ ...content, transcript, usage: sumUsage(transcript, 0) });
}

/** Asks the provider, which sees for which debate and which entry it is asked. */
function providerReasoner(provider: string, debate: string): Reasoner {
  return {
    id: 'test:provider',
    fingerprint: 'test:provider',
    vision: false,
    async answer(role, question, { signal }) {
      const key = question.round === null ? question.seat : `round-${question.round}/${question.seat}`;
      const response = await fetch(provider, { method: 'POST', signal, body: JSON.stringify({ debate, key }) });
      if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
      await response.text();
      const digest = sha256(JSON.stringify(role.prompt(question))).slice(7);
      const value = {
        statement: `I say ${digest.slice(0, 8)}.`,
        evidence: [],
        score: Number.parseInt(digest.slice(0, 2), 16) / 255,
      };
      return {
        outcome: 'answered',
        value: value as never,
        usage: { ...noUsage, calls: 1 },
        latencyMs: 1,
        model: 'test:provider',
        raw: '',
      };
    },
  };
}
