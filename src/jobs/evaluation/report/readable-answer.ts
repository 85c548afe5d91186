import { z } from 'zod';
import { isObservation, type Observation, type Provenance, type Turn } from '../../../debate/index.ts';
import type { Source } from '../../../evidence/index.ts';
import type { Distribution, EvaluationAnswer } from '../index.ts';

/*
 * An answer may come from a file, whose schema leaves open what a job adds to it. What is missing or odd there is
 * shown as missing: a report must not fail over it.
 */

const text = z.string().catch('');
const textOrNull = z.string().nullable().catch(null);
const texts = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.filter((item) => typeof item === 'string'));
const number = z.number().nullable().catch(null);
const listOf = <Item>(item: z.ZodType<Item>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((value) => {
        const read = item.safeParse(value);
        return read.success ? [read.data] : [];
      }),
    );

const share = z.number().min(0);
const distribution = z
  .object({ explicit: share, implicit: share, none: share })
  .transform((stated): Distribution | null => {
    const sum = stated.explicit + stated.implicit + stated.none;
    return sum > 0 && Number.isFinite(sum)
      ? { explicit: stated.explicit / sum, implicit: stated.implicit / sum, none: stated.none / sum }
      : null;
  })
  .nullable()
  .catch(null);

const finding = z
  .object({ why: text, evidence: texts, clauses: texts, holds: z.boolean().catch(false) })
  .nullable()
  .catch(null);

const stanceSchema = z.object({
  label: textOrNull,
  behaviour: textOrNull,
  clauses: texts,
  distribution,
  objections: listOf(z.object({ to: text, kind: text, point: text, material: z.boolean().catch(false) })),
  explicit: finding,
  implicit: finding,
});

/** What any seat of an evaluation says beside its statement and its evidence; what its role does not say is empty. */
export type Stance = z.infer<typeof stanceSchema>;
export type Objection = Stance['objections'][number];

/** Nobody's own words are read from a seat that was not heard: its label stands for nothing. */
export function stanceOf(turn: Turn): Stance {
  const stance = stanceSchema.parse(record(turn.answer));
  return turn.fallback ? { ...stance, label: null, behaviour: null } : stance;
}

const mixtureSchema = z.object({
  auditor: distribution,
  detector: distribution,
  reference: z.object({ distribution, from: text }).nullable().catch(null),
  alpha: number,
  mixture: distribution,
  divergence: number,
  breach: z.boolean().catch(false),
});

/** Equation 5 of a round, as far as it can be read. */
export type Mixing = z.infer<typeof mixtureSchema>;
export const mixingOf = (value: unknown): Mixing => mixtureSchema.parse(record(value));

/** Equation 6 of a round: by seat, what it starts the next round from. */
export function priorsOf(value: unknown): [seat: string, prior: Distribution][] {
  return Object.entries(record(value)).flatMap(([seat, prior]) => {
    const read = distribution.parse(prior);
    return read ? [[seat, read] as [string, Distribution]] : [];
  });
}

const subject = z.looseObject({
  id: textOrNull,
  model: textOrNull,
  turns: listOf(z.object({ source: z.string(), speaker: text })),
});
const verdict = z.looseObject({ concept: textOrNull, behaviour: textOrNull, distribution });
const warnings = listOf(z.object({ kind: text, seat: text, detail: text }));
const plan = z.object({
  method: text,
  rounds: number,
  delta: number,
  gamma: number,
  smoothing: number,
  consensusBound: number,
  stubbornness: z.object({ auditor: number, detector: number }).catch({ auditor: null, detector: null }),
});
const provenance = z.looseObject({
  protocol: text,
  prompts: text,
  precedents: textOrNull,
  models: z.record(z.string(), z.string()).catch({}),
});

/** An evaluation with all its fields in place, its sources in the order in which a reader meets them. */
export interface ReadableAnswer extends Omit<EvaluationAnswer, 'subject' | 'verdict' | 'warnings' | 'provenance'> {
  subject: { id: string | null; model: string | null; hash: string };
  verdict: Omit<EvaluationAnswer['verdict'], 'concept' | 'behaviour'> & {
    concept: string | null;
    behaviour: string | null;
  };
  warnings: readonly { kind: string; seat: string; detail: string }[];
  provenance: Provenance;
  /** What the equations were computed with. */
  plan: z.infer<typeof plan>;
  exchange: readonly Said[];
  /** What tools found and belongs to no message. */
  observations: readonly Observation[];
}

/** One message of the exchange, with what tools found in it. */
export interface Said {
  speaker: string;
  source: Source;
  observations: readonly Observation[];
}

export function readable(answer: EvaluationAnswer): ReadableAnswer {
  const { turns, ...judged } = subject.parse(answer.subject);
  const { exchange, observations } = conversation(answer.sources.map(readableSource), turns);
  return {
    ...answer,
    subject: { ...judged, hash: answer.subject.hash },
    sources: [...exchange.flatMap((said) => [said.source, ...said.observations]), ...observations],
    verdict: { ...answer.verdict, ...verdict.parse(answer.verdict) },
    warnings: warnings.parse(answer.warnings),
    provenance: { ...answer.provenance, ...provenance.parse(answer.provenance) },
    transcript: answer.transcript.map((entry) =>
      entry.kind === 'turn' ? { ...entry, notes: texts.parse(entry.notes) } : entry,
    ),
    plan: plan.parse(record(answer.provenance.plan)),
    exchange,
    observations,
  };
}

function conversation(
  sources: readonly (Source | Observation)[],
  turns: readonly { source: string; speaker: string }[],
) {
  const texts = sources.filter((source) => !isObservation(source));
  const found = sources.filter(isObservation);
  const speakers = new Map(turns.map(({ source, speaker }) => [source, speaker]));
  const order = [...speakers.keys()];
  const place = ({ id }: Source) => (speakers.has(id) ? order.indexOf(id) : order.length);
  const exchange = texts
    .toSorted((a, b) => place(a) - place(b))
    .map((source): Said => ({
      source,
      speaker: speakers.get(source.id) ?? '',
      observations: found.filter(({ of }) => of === source.id || of.startsWith(`${source.id}/`)),
    }));
  const placed = new Set(exchange.flatMap((said) => said.observations));
  return { exchange, observations: found.filter((observation) => !placed.has(observation)) };
}

function readableSource(source: Source | Observation): Source | Observation {
  if (!isObservation(source)) return source;
  const { note, ...rest } = source;
  return {
    ...rest,
    tool: text.parse(source.tool),
    of: text.parse(source.of),
    ...(typeof note === 'string' && { note }),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
