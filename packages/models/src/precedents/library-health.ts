/** How a library is: what `agon doctor` says about it, and where an answer's `library.problem` comes from. */
export interface LibraryHealth {
  /** Precedents that a search can find. */
  size: number;
  safe: number;
  unsafe: number;
  expired: number;
  /** Precedents without a usable vector. */
  withoutVector: number;
  /** Who made the vectors. */
  model: string;
  /** How it is searched. */
  search: 'exact' | 'index' | 'database';
  /** What is wrong with it, in words; null when nothing is. */
  problem: string | null;
}

export interface LibraryFacts extends Omit<LibraryHealth, 'problem' | 'size'> {
  /** What went wrong when vectors were made or the index was opened. */
  failures: readonly string[];
  /** Nobody could be asked for vectors: whether there are some is not known. */
  unasked?: boolean;
}

/** Says what is wrong with a library, if anything is. */
export function libraryHealth({ failures, unasked = false, ...facts }: LibraryFacts): LibraryHealth {
  const size = facts.safe + facts.unsafe;
  if (unasked)
    return {
      ...facts,
      size,
      problem: [`None of the ${facts.withoutVector} precedents can be looked for.`, ...failures].join(' '),
    };
  return {
    ...facts,
    size,
    problem: [...contentProblem(facts, size), ...vectorProblem(facts), ...failures].join(' ') || null,
  };
}

function contentProblem(
  { safe, unsafe, expired, withoutVector }: Omit<LibraryFacts, 'failures' | 'unasked'>,
  size: number,
): string[] {
  if (size === 0 && withoutVector > 0) return ['The library holds no precedent that can be found.'];
  if (size === 0)
    return [
      expired > 0
        ? `The library is empty: all of its ${expired} precedents have expired.`
        : 'The library is empty: there is no precedent.',
    ];
  if (safe === 0 || unsafe === 0)
    return [`The library is one-sided: all of its ${size} precedents are ${safe === 0 ? 'unsafe' : 'safe'}.`];
  return [];
}

function vectorProblem({ withoutVector, model }: Omit<LibraryFacts, 'failures' | 'unasked'>): string[] {
  if (withoutVector === 0) return [];
  return [
    `${withoutVector} ${withoutVector === 1 ? 'precedent has' : 'precedents have'} no usable vector by ${model} ` +
      'and cannot be found.',
  ];
}
