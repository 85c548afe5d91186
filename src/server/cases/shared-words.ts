import { setImmediate as nextTurn } from 'node:timers/promises';

/** A text by what it is held against others by: its words, each once. */
export interface Worded<Id> {
  id: Id;
  words: ReadonlySet<string>;
}

/** So many texts are taken apart or weighed at a stretch. */
const atOnce = 1_000;

/**
 * How much of their words each of some texts shares with one, 0 to 1: words that few of them have weigh more (their
 * inverse frequency), and what only one of the two has counts against it. Only those that share something, the most
 * alike first.
 */
export async function sharedWords<Id>(
  wanted: ReadonlySet<string>,
  texts: readonly Worded<Id>[],
  most: number,
): Promise<{ id: Id; share: number }[]> {
  const frequency = new Map<string, number>();
  await inTurns(texts, ({ words }) => {
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  });
  const weightOf = (word: string) => Math.log((texts.length + 1) / ((frequency.get(word) ?? 0) + 0.5));
  const weights = new Map([...frequency.keys(), ...wanted].map((word) => [word, Math.max(0.01, weightOf(word))]));
  const wantedWeight = [...wanted].reduce((sum, word) => sum + weights.get(word)!, 0);
  const alike: { id: Id; share: number }[] = [];
  await inTurns(texts, ({ id, words }) => {
    let [both, own] = [0, 0];
    for (const word of words) {
      const weight = weights.get(word)!;
      own += weight;
      if (wanted.has(word)) both += weight;
    }
    if (both > 0) alike.push({ id, share: both / (wantedWeight + own - both) });
  });
  return alike.toSorted((one, other) => other.share - one.share).slice(0, most);
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) {
    for (const item of items.slice(at, at + atOnce)) work(item);
    await nextTurn();
  }
}
