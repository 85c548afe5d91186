import { AgonError } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import { embeddedModel } from '@agonhq/models/reasoners/embedded';
import { blockOf, type SeatSettings, type Settings } from './table.ts';

const openAiSeats: SeatSettings = {
  debaters: 'openai:gpt-4o-mini',
  arbiter: 'openai:gpt-4o',
  preprocessor: 'openai:gpt-4o-mini',
};

/**
 * Seats as set; the paper's when a job's preset asks for them; OpenAI's when only its key is there; Agon's own model
 * when there is nothing.
 */
export function seatsFor(job: Job, settings: Settings, environment: Record<string, string | undefined>): SeatSettings {
  const seats = settings.seats ?? {};
  // A model named for every seat is stronger than the preset's own.
  if (job.paperSeats && blockOf(settings, job)['preset'] === 'paper')
    return seats['default'] ? seats : { ...job.paperSeats, ...seats };
  if (Object.keys(seats).length > 0) return seats;
  return environment['OPENAI_API_KEY'] ? openAiSeats : { default: embeddedModel };
}

/**
 * Which model sits where. A seat's own name is stronger than `debaters`, and that than `default`. Several seats of a
 * role take its models in turn.
 */
export function modelOf(job: SeatedJob | null, seat: string, seats: SeatSettings): string | null {
  const [role, number = '1'] = seat.split('#') as [string, string?];
  const own = seats[`${role}#${number}`];
  const key = [role, ...standIns(job, role)].find((name) => seats[name] !== undefined);
  const models = key === undefined ? [] : [seats[key]!].flat();
  return (typeof own === 'string' ? own : models[(Number(number) - 1) % models.length]) ?? null;
}

/** A job as far as it matters who sits where; null for the curator, who is no job's. */
type SeatedJob = Pick<Job, 'seats'>;

/** Which other names stand in for a seat, the nearest first. */
function standIns(job: SeatedJob | null, role: string): readonly string[] {
  if (role === 'curator') return ['arbiter', 'default'];
  return (job && Object.hasOwn(job.seats, role) ? job.seats[role]?.fallsBackTo : undefined) ?? ['default'];
}

/** As `modelOf`, for a seat the debate cannot do without. */
export function requiredModelOf(job: SeatedJob | null, seat: string, seats: SeatSettings): string {
  const model = modelOf(job, seat, seats);
  if (model) return model;
  throw new AgonError('no-reasoner', `No model is set for the seat ${seat}.`, {
    library: 'Set OPENAI_API_KEY to seat gpt-4o-mini and gpt-4o, or name models in `seats`.',
    cli:
      'Set OPENAI_API_KEY to seat gpt-4o-mini and gpt-4o, or name models: --model embedded:guard-2 or ' +
      'ollama:llama3.1, AGON_MODEL, or seats in agon.config.yaml.',
    api: 'Name a model for the seat in the settings of the server: seats.',
  });
}

/** How many seats of a role the settings name models for: as many as the role with the most of them. */
export function agentsNamed(seats: SeatSettings, roles: readonly string[]): number {
  const numbered = Object.keys(seats).map((name) => Number(/#(\d)$/.exec(name)?.[1] ?? 1));
  return Math.max(1, ...numbered, ...roles.map((role) => [seats[role] ?? []].flat().length));
}
