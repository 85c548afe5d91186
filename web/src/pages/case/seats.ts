import type { Analysis, EvaluationAnswer, Job, ModerationAnswer } from '../../api/types.ts';
import { useSelf } from '../../session/self.ts';

type Answer = ModerationAnswer | EvaluationAnswer | Analysis;

/**
 * The seats of a case that can be filled otherwise, with who sat there. Who voted without a role sits in the seats of
 * the debate.
 */
export function useSeats(job: Job, { provenance }: Answer): readonly (readonly [seat: string, model: string])[] {
  const { models } = useSelf();
  const withoutRole = Object.keys(provenance.models).some((seat) => /^(?:vote|peer|control)\b/.test(seat));
  return Object.entries(withoutRole ? (models[job] ?? {}) : provenance.models);
}

/** Models that can be named: those of the server's seats, and those of the case. */
export function useModels({ provenance }: Answer): string[] {
  const { models } = useSelf();
  return [
    ...new Set([
      ...Object.values(models).flatMap((seats) => Object.values(seats)),
      ...Object.values(provenance.models),
    ]),
  ].sort();
}
