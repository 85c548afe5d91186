import { AgonError } from '../errors.ts';
import type { ModerationSeat } from '../moderation/index.ts';
import type { SeatSettings } from './schema.ts';

export type SeatName = ModerationSeat | 'preprocessor';

const fallsBackTo: Record<SeatName, readonly (keyof SeatSettings)[]> = {
  preprocessor: ['preprocessor', 'default'],
  supporter: ['supporter', 'debaters', 'default'],
  'strict-debater': ['strict-debater', 'debaters', 'default'],
  'loose-debater': ['loose-debater', 'debaters', 'default'],
  arbiter: ['arbiter', 'default'],
};

/** The models of the paper: a light one debates, a strong one judges, another looks at images. */
export const paperSeats: SeatSettings = { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o', preprocessor: 'openai:gpt-4.1' };

/** Which model sits where. A seat's own name is stronger than `debaters`, and that than `default`. */
export function modelOf(seat: SeatName, seats: SeatSettings): string | null {
  for (const key of fallsBackTo[seat]) if (seats[key]) return seats[key];
  return null;
}

/** As `modelOf`, for a seat the debate cannot do without. */
export function requiredModelOf(seat: ModerationSeat, seats: SeatSettings): string {
  const model = modelOf(seat, seats);
  if (model) return model;
  throw new AgonError(
    'no-reasoner',
    `No model is set for the seat ${seat}.`,
    'Set OPENAI_API_KEY to seat gpt-4o-mini and gpt-4o, or name models: --model embedded:guard-1 or ollama:llama3.1, AGON_MODEL, or seats in agon.config.yaml.',
  );
}
