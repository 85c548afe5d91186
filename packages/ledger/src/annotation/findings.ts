import { z } from 'zod';

/* What a person finds in an item beside its label: tags, how grave it is, and where it stands. */

/** What a project asks for beside the label. */
export interface Marking {
  /** What can be found, any number at once: clauses of a policy, or words of the project's own. */
  tags: readonly { id: string; title: string | null }[];
  /** How grave it can be; without any, nobody is asked. */
  severities: readonly string[];
  /** The policy that the tags are clauses of. */
  policy: { name: string; version: string } | null;
}

/** A stretch of a text, in UTF-16 code units. Its words are not kept: they are read from the item. */
export interface SpanMark {
  kind: 'span';
  part: 'text' | 'prompt' | 'response';
  start: number;
  end: number;
  tag: string;
}

/** A rectangle of an image, in shares of its width and height. */
export interface RegionMark {
  kind: 'region';
  /** By hash. */
  image: string;
  x: number;
  y: number;
  width: number;
  height: number;
  tag: string;
}

export type FindingMark = SpanMark | RegionMark;

export interface AnnotatorFinding {
  tags: readonly string[];
  severity: string | null;
  marks: readonly FindingMark[];
}

const share = z.number().min(0).max(1);
const text = z.string();

/** As they are kept, and as the lines of an export have them. */
export const markingSchema = z.strictObject({
  tags: z.array(z.strictObject({ id: text, title: text.nullable() })),
  severities: z.array(text),
  policy: z.strictObject({ name: text, version: text }).nullable(),
});

export const findingSchema = z.strictObject({
  tags: z.array(text),
  severity: text.nullable(),
  marks: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('span'),
        part: z.enum(['text', 'prompt', 'response']),
        start: z.int().min(0),
        end: z.int().min(1),
        tag: text,
      }),
      z.strictObject({
        kind: z.literal('region'),
        image: text,
        x: share,
        y: share,
        width: share,
        height: share,
        tag: text,
      }),
    ]),
  ),
});

export function readMarking(stored: string | null): Marking | null {
  return stored === null ? null : markingSchema.parse(JSON.parse(stored));
}

export function readFinding(stored: string | null): AnnotatorFinding | null {
  return stored === null ? null : findingSchema.parse(JSON.parse(stored));
}

/** What votes must have in common to agree. Marks are no part of it: two people hardly ever draw the same line. */
export function describeOpinion(label: string, finding: AnnotatorFinding | null): string {
  return JSON.stringify([label, [...(finding?.tags ?? [])].toSorted(), finding?.severity ?? null]);
}
