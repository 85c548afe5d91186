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
  const { safe, unsafe, withoutVector, model } = facts;
  const size = safe + unsafe;
  const missing = `${withoutVector} ${withoutVector === 1 ? 'precedent has' : 'precedents have'} no usable vector by`;
  const problems = unasked
    ? [`None of the ${withoutVector} precedents can be looked for.`]
    : [...contentProblem(facts), ...(withoutVector === 0 ? [] : [`${missing} ${model} and cannot be found.`])];
  return { ...facts, size, problem: [...problems, ...failures].join(' ') || null };
}

function contentProblem({
  safe,
  unsafe,
  expired,
  withoutVector,
}: Omit<LibraryFacts, 'failures' | 'unasked'>): string[] {
  const size = safe + unsafe;
  if (size === 0 && withoutVector > 0) return ['The library holds no precedent that can be found.'];
  const why = expired > 0 ? `all of its ${expired} precedents have expired` : 'there is no precedent';
  if (size === 0) return [`The library is empty: ${why}.`];
  if (safe > 0 && unsafe > 0) return [];
  return [`The library is one-sided: all of its ${size} precedents are ${safe === 0 ? 'unsafe' : 'safe'}.`];
}
