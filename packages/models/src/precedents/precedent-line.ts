import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { isFingerprintHash } from '@agonhq/engine/fingerprint';
import type { KeptPrecedent } from './precedent.ts';
import { refusalWords } from '@agonhq/engine/evidence';
import { wordingOf } from './compare-wording.ts';
import { partSeparator } from '@agonhq/engine/text';

const refuses = new RegExp(refusalWords, 'i');

/** What a refusal consists of when it does not say what it refuses. */
const emptyWords = new Set(
  (
    'a able about ai all am an and any anything apologise apologize are as ask asked asking assist assistant be ' +
    'because but can cannot comment comply content continue describe describing description ' +
    'detailed details do else feel for free fulfil fulfill fulfilling give goes against guidelines happy have ' +
    'help here i identify if image in is it know language let like m me model more my not objective of on or ' +
    'other ' +
    'photo picture please policy process provide providing question questions re request requested requesting ' +
    'response seeking see share so something sorry t that the there this to unable very view viewing will with ' +
    'won would you your'
  ).split(' '),
);

/**
 * Whether a text, or the description of its image, is nothing but a refusal: then nobody knows what the case was, and
 * it can be no precedent. A refusal that says what it refuses is a text like any other.
 *
 * @example isMereRefusal("I'm sorry, but I can't describe this image.") // true
 */
export function isMereRefusal(text: string): boolean {
  const part = text.split(partSeparator).at(-1)!;
  const [wording] = wordingOf(part);
  return refuses.test(part) && wording!.plain.split(' ').every((word) => emptyWords.has(word));
}

/** The version of a line of an export. */
export const precedentLineVersion = 1;

const words = z.string().trim().min(1);
const moment = z.iso.datetime({ offset: true });

const provenanceSchema = z.strictObject({
  kind: z.enum(['seed', 'learnt', 'imported']),
  case: words.max(200).optional(),
  subject: words.max(200).optional(),
  dataset: words.max(200).optional(),
  batch: z.int().nonnegative().optional(),
  curator: words.max(200).optional(),
  lesson: z.enum(['mistake', 'confirmation']).optional(),
});

const hash = z.string().refine(isFingerprintHash, 'must be 64 hexadecimal digits');
const pictureSchema = z.strictObject({
  pdq: hash,
  quality: z.number().min(0).max(100),
  crops: z.array(hash).max(20).optional(),
});

/** A line of an import: what a person has to write is little, the rest has a default. */
const lineSchema = z.strictObject({
  version: z.literal(precedentLineVersion).default(precedentLineVersion),
  id: words.max(200).regex(/^[\w.:-]+$/, 'must be letters, digits and . : _ -'),
  label: z.enum(['safe', 'unsafe']),
  category: words.max(100).nullable().default(null),
  clause: words.max(100).nullable().default(null),
  summary: words.max(1_000),
  cues: z.array(words.max(500)).max(20).default([]),
  why: words.max(2_000),
  text: words
    .max(20_000)
    .refine((text) => !isMereRefusal(text), 'is nothing but a refusal, which says nothing about the case'),
  modality: z.enum(['text', 'image', 'text+image']).optional(),
  pictures: z.array(pictureSchema).max(200).optional(),
  policy: z.strictObject({ name: z.string(), version: z.string(), hash: z.string() }).nullable().default(null),
  provenance: provenanceSchema.default({ kind: 'imported' }),
  confirmedBy: words.max(200).default('import'),
  state: z.enum(['active', 'proposed', 'retired', 'overruled']).default('active'),
  overruledBy: words.max(2_000).nullable().default(null),
  expiresAt: moment.nullable().default(null),
  createdAt: moment.optional(),
});

/** A precedent from a value that came from outside; `place` says where, for the message. */
export function readPrecedent(value: unknown, place: string, now = new Date()): KeptPrecedent {
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue!.path.join('.');
    throw new AgonError(
      'bad-precedent',
      `${place} is no precedent: ${field === '' ? '' : `${field}: `}${issue!.message}.`,
      'docs/precedents.md shows a line. Nothing was imported.',
    );
  }
  const { version: _version, provenance, createdAt, modality, pictures, ...rest } = parsed.data;
  return {
    ...rest,
    ...(modality ? { modality } : {}),
    ...(pictures ? { pictures } : {}),
    provenance: withoutAbsent(provenance),
    createdAt: createdAt ?? now.toISOString(),
  };
}

/** The line of a precedent in an export. */
export function precedentLine(precedent: KeptPrecedent): string {
  return JSON.stringify({ version: precedentLineVersion, ...precedent });
}

function withoutAbsent(provenance: z.output<typeof provenanceSchema>): KeptPrecedent['provenance'] {
  return Object.fromEntries(
    Object.entries(provenance).filter(([, value]) => value !== undefined),
  ) as unknown as KeptPrecedent['provenance'];
}
