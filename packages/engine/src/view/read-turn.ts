import type { Turn } from '../debate/index.ts';
import type { Evidence } from '../evidence/index.ts';

/* What comes from a model is read with care: any member may be missing or odd. */

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** How likely an explicit risk, an implicit one and none are: of sum one. */
export interface ShownDistribution {
  explicit: number;
  implicit: number;
  none: number;
}

/** Stated shares, brought to a sum of one. */
export function readDistribution(value: unknown): ShownDistribution | null {
  const { explicit, implicit, none } = toRecord(value);
  if (!isShare(explicit) || !isShare(implicit) || !isShare(none)) return null;
  const sum = explicit + implicit + none;
  return sum > 0 && Number.isFinite(sum)
    ? { explicit: explicit / sum, implicit: implicit / sum, none: none / sum }
    : null;
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0;

/** What a turn says beside its statement, its score and its evidence; what its role does not say is empty. */
export interface Stance {
  /** Null where the seat was not heard: then its label stands for nothing. */
  label: string | null;
  behaviour: string | null;
  concession: string | null;
  clauses: readonly string[];
  distribution: ShownDistribution | null;
  objections: readonly { to: string; kind: string; point: string; material: boolean }[];
  /** What recurs among the precedents, and what tells each from the case, in the words of the supporter. */
  patterns: readonly string[];
  cues: readonly { precedent: string; cue: string; difference: string }[];
}

/** A turn as far as its answer is read. */
export interface ReadableTurn {
  answer?: unknown;
  fallback?: object | null | undefined;
}

export function readStance({ answer, fallback }: ReadableTurn): Stance {
  const read = toRecord(answer);
  return {
    label: fallback ? null : toText(read['label']),
    behaviour: fallback ? null : toText(read['behaviour']),
    concession: toText(read['concession']) || null,
    clauses: toTexts(read['clauses']),
    distribution: readDistribution(read['distribution']),
    objections: toRecords(read['objections']).map(({ to, kind, point, material }) => ({
      to: toText(to) ?? '',
      kind: toText(kind) ?? '',
      point: toText(point) ?? '',
      material: material === true,
    })),
    patterns: fallback ? [] : toTexts(read['patterns']),
    cues: fallback
      ? []
      : toRecords(read['cues']).map(({ precedent, cue, difference }) => ({
          precedent: toText(precedent) ?? '',
          cue: toText(cue) ?? '',
          difference: toText(difference) ?? '',
        })),
  };
}

function toRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(toRecord) : [];
}

/** What an arbiter found under a rule. */
export interface ReadFinding {
  why: string;
  holds: boolean;
  evidence: readonly Evidence[];
}

/** What an arbiter found, by name: its evidence is that of its turn, in the order of its findings. */
export function readFindings<Name extends string>(
  { answer, evidence }: Pick<Turn, 'evidence'> & ReadableTurn,
  names: readonly Name[],
): Map<Name, ReadFinding> {
  let from = 0;
  return new Map(
    names.map((name) => {
      const read = toRecord(toRecord(answer)[name]);
      const to = from + toTexts(read['evidence']).length;
      const finding = {
        why: toText(read['why']) ?? '',
        holds: read['holds'] === true,
        evidence: evidence.slice(from, to),
      };
      from = to;
      return [name, finding];
    }),
  );
}
