import type { DocumentSeat } from '../jobs/documents/index.ts';
import { AgonError } from '../errors.ts';
import type { EvaluationSeat } from '../jobs/evaluation/index.ts';
import type { ModerationSeat } from '../jobs/moderation/index.ts';
import { embeddedModel } from '../reasoners/index.ts';
import type { SeatSettings, Settings } from './schema.ts';

/** The roles of evaluation that may have several seats. */
export type SharedSeat = 'auditor' | 'detector';
export type SeatName = ModerationSeat | EvaluationSeat | DocumentSeat | 'preprocessor' | 'curator';
/** A seat, or one of several of the same role. */
export type NumberedSeat = SeatName | `${SharedSeat}#${number}`;

const fallsBackTo: Record<SeatName, readonly (keyof SeatSettings)[]> = {
  preprocessor: ['preprocessor', 'default'],
  supporter: ['supporter', 'debaters', 'default'],
  'strict-debater': ['strict-debater', 'debaters', 'default'],
  'loose-debater': ['loose-debater', 'debaters', 'default'],
  auditor: ['auditor', 'debaters', 'default'],
  detector: ['detector', 'debaters', 'default'],
  critic: ['critic', 'arbiter', 'default'],
  judge: ['judge', 'arbiter', 'default'],
  arbiter: ['arbiter', 'default'],
  'factor-agent': ['factor-agent', 'debaters', 'default'],
  affirmative: ['affirmative', 'debaters', 'default'],
  dissenting: ['dissenting', 'debaters', 'default'],
  synthesizer: ['synthesizer', 'arbiter', 'default'],
  curator: ['curator', 'arbiter', 'default'],
};

/**
 * The models of the papers. Aetheria: a light one debates, a strong one judges, another looks at images. RADAR: a
 * family for each role. AETHER: one for all.
 */
export const paperSeats = {
  moderation: { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o', preprocessor: 'openai:gpt-4.1' },
  evaluation: {
    auditor: 'openai:gpt-5',
    detector: 'xai:grok-3',
    critic: 'ollama:llama3.1:8b',
    arbiter: 'deepseek:deepseek-reasoner',
  },
  documents: {
    'factor-agent': 'openai:gpt-4-turbo',
    affirmative: 'openai:gpt-4-turbo',
    dissenting: 'openai:gpt-4-turbo',
    synthesizer: 'openai:gpt-4-turbo',
  },
} satisfies Record<string, SeatSettings>;

const openAiSeats: SeatSettings = {
  debaters: 'openai:gpt-4o-mini',
  arbiter: 'openai:gpt-4o',
  preprocessor: 'openai:gpt-4o-mini',
};

/**
 * Seats as set; the paper's when a job's preset asks for them; OpenAI's when only its key is there; Agon's own mind
 * when there is nothing.
 */
export function seatsFor(
  job: keyof typeof paperSeats,
  settings: Settings,
  environment: Record<string, string | undefined>,
): SeatSettings {
  const seats = settings.seats ?? {};
  // A model named for every seat is stronger than the preset's own.
  if (settings[job]?.preset === 'paper') return seats.default ? seats : { ...paperSeats[job], ...seats };
  if (Object.keys(seats).length > 0) return seats;
  return environment['OPENAI_API_KEY'] ? openAiSeats : { default: embeddedModel };
}

/**
 * Which model sits where. A seat's own name is stronger than `debaters`, and that than `default`. Several seats of a
 * role take its models in turn.
 */
export function modelOf(seat: NumberedSeat, seats: SeatSettings): string | null {
  const [role, number = '1'] = seat.split('#') as [SeatName, string?];
  const own = seats[`${role}#${number}` as keyof SeatSettings] as string | undefined;
  const key = fallsBackTo[role].find((name) => seats[name] !== undefined);
  const models = key === undefined ? [] : [seats[key]!].flat();
  return own ?? models[(Number(number) - 1) % models.length] ?? null;
}

/** As `modelOf`, for a seat the debate cannot do without. */
export function requiredModelOf(seat: NumberedSeat, seats: SeatSettings): string {
  const model = modelOf(seat, seats);
  if (model) return model;
  throw new AgonError('no-reasoner', `No model is set for the seat ${seat}.`, {
    library: 'Set OPENAI_API_KEY to seat gpt-4o-mini and gpt-4o, or name models in `seats`.',
    cli:
      'Set OPENAI_API_KEY to seat gpt-4o-mini and gpt-4o, or name models: --model embedded:guard-1 or ' +
      'ollama:llama3.1, AGON_MODEL, or seats in agon.config.yaml.',
    api: 'Name a model for the seat in the settings of the server: seats.',
  });
}

/** How many seats of a role the settings name models for: as many as the role with the most of them. */
export function agentsNamed(seats: SeatSettings): number {
  const numbered = Object.keys(seats).map((name) => Number(/#(\d)$/.exec(name)?.[1] ?? 1));
  return Math.max(1, ...numbered, [seats.auditor ?? []].flat().length, [seats.detector ?? []].flat().length);
}
