/**
 * `topics`: a mixture of 2,000 topics, some large and many small, each of which varies in 24 directions and a little
 * in all.
 * `seeds`: between the guard's own embeddings of two seeds.
 */
export type VectorKind = 'topics' | 'seeds';

/** A maker of unit vectors that lie as those of cases do: any two have .75 in common, two of one topic about .87. */
export async function vectorsOf(kind: VectorKind, dimensions: number): Promise<() => Float32Array> {
  const random = mulberry(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const noise = () => unit(Float32Array.from({ length: dimensions }, normal));
  return kind === 'topics' ? betweenTopics(random, noise) : betweenSeeds(random, noise);
}

function betweenTopics(random: () => number, noise: () => Float32Array): () => Float32Array {
  const common = noise();
  const directions = Array.from({ length: 256 }, noise);
  const topics = Array.from({ length: 2_000 }, () => ({
    centre: noise(),
    ways: Array.from({ length: 24 }, () => directions[Math.floor(directions.length * random())]!),
  }));
  return () => {
    const { centre, ways } = topics[Math.floor(topics.length * random() ** 2)]!;
    const along = new Float32Array(common.length);
    for (const way of ways) {
      const far = 2 * random() - 1;
      for (let at = 0; at < along.length; at += 1) along[at]! += far * way[at]!;
    }
    const [own, little] = [unit(along), noise()];
    return unit(
      common.map(
        (value, at) =>
          Math.sqrt(0.75) * value +
          Math.sqrt(0.12) * centre[at]! +
          Math.sqrt(0.12) * own[at]! +
          Math.sqrt(0.01) * little[at]!,
      ),
    );
  };
}

async function betweenSeeds(random: () => number, noise: () => Float32Array): Promise<() => Float32Array> {
  const { defaultPolicy } = await import('@agonhq/engine/policy');
  const { seedPrecedents } = await import('@agonhq/models/precedents');
  const { embedText } = await import('@agonhq/models/reasoners');
  const seeds = await seedPrecedents(await defaultPolicy());
  const known = await Promise.all(seeds.map(({ text }) => embedText(text)));
  const any = () => known[Math.floor(known.length * random())]!;
  return () => {
    const [one, other, own, share] = [any(), any(), noise(), random()];
    return unit(one.map((value, at) => share * value + (1 - share) * other[at]! + 0.1 * own[at]!));
  };
}

/** The same numbers each time. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
