import { findRetrieval, type Answer, type PrecedentLibrary } from '../debate/index.ts';

/**
 * The library as the trial saw it: whatever has been learnt since, it finds what was found then, less what is left
 * out now.
 */
export function recordedLibrary({ transcript, provenance }: Answer): PrecedentLibrary | undefined {
  const recorded = findRetrieval(transcript);
  if (recorded === null || provenance.precedents === null) return undefined;
  return {
    version: provenance.precedents,
    search: async ({ precedents: leftOut = [] }) => ({
      ...recorded,
      precedents: recorded.precedents.filter(({ id }) => !leftOut.includes(id)),
      excluded: [...leftOut.map((id) => ({ id, reason: 'left-out' as const })), ...recorded.excluded],
    }),
  };
}
