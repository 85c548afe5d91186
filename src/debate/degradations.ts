import { findTurns, type Transcript } from './transcript.ts';
import type { Degradation } from './verdict.ts';

/** What went less well than it should have in a debate: seats that fell back, then evidence that was struck. */
export function listDegradations(transcript: Transcript): Degradation[] {
  const fallbacks = findTurns(transcript).flatMap(({ key, fallback }) =>
    fallback
      ? [{ kind: 'fallback', at: key, detail: `${fallback.reason}${fallback.detail ? `: ${fallback.detail}` : ''}` }]
      : [],
  );
  const struck = findTurns(transcript).flatMap(({ key, evidence }) => {
    const count = evidence.filter((piece) => !piece.verified).length;
    return count > 0 ? [{ kind: 'struck-evidence', at: key, detail: `${count} quote(s) found in no source` }] : [];
  });
  return [...fallbacks, ...struck];
}
