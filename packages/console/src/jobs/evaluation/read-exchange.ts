import { nameMessage } from '@agonhq/judges/evaluation/evaluation-terms';
import { showPhrase } from '@agonhq/engine/view';
import type { TrialSource } from '../../trial/trial-view.ts';

/**
 * The texts of an exchange in the order in which they were said, each with who said it. `turns` says both where the
 * record is there; before it, the ids of the texts tell.
 */
export function readShownExchange(
  sources: readonly TrialSource[],
  turns: readonly { source: string; speaker: string }[] = [],
): TrialSource[] {
  const order = turns.map(({ source }) => source);
  const speakers = new Map(turns.map(({ source, speaker }) => [source, speaker]));
  return sources
    .map((source) =>
      source.tool !== null
        ? source
        : {
            ...source,
            speaker: showPhrase(nameMessage(speakers.get(source.id) ?? readSpeaker(source.id)), (id) => id),
            isAnswer: source.id === 'response',
          },
    )
    .toSorted((one, other) => findPosition(one.id, order) - findPosition(other.id, order));
}

/** The system's message, what was said before, what was asked, what was answered. */
function findPosition(id: string, order: readonly string[]): number {
  if (order.includes(id)) return order.indexOf(id);
  const turn = /^turn-(\d+)-/.exec(id)?.[1];
  return turn === undefined ? ({ system: 0, prompt: 10_000, response: 10_001 }[id] ?? 10_002) : Number(turn);
}

function readSpeaker(id: string): string {
  return { prompt: 'user', response: 'assistant' }[id] ?? /^turn-\d+-(\w+)$/.exec(id)?.[1] ?? id;
}
