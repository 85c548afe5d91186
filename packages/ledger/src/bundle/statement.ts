import { z } from 'zod';

/** What the statement of a bundle is about, for whoever reads in-toto statements. */
export const predicateType = 'urn:agon:evidence-bundle:1';
/** What an in-toto statement is called in an envelope. */
export const payloadType = 'application/vnd.in-toto+json';
export const statementName = 'statement.dsse.json';
export const publicKeyName = 'public-key.pem';

const leftOut = z.strictObject({ what: z.string(), why: z.string() });
const common = {
  /** The moment of the newest record in it: the same records make the same bundle. */
  asOf: z.iso.datetime(),
  madeBy: z.strictObject({ agon: z.string() }),
  keyId: z.string(),
  /** Whether what reveals the content was replaced by commitments. */
  redacted: z.boolean(),
  leftOut: z.array(leftOut),
};

const predicateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ format: z.literal(1), kind: z.literal('case'), case: z.string(), job: z.string(), ...common }),
  z.strictObject({
    format: z.literal(1),
    kind: z.literal('run'),
    run: z.string(),
    job: z.string(),
    cases: z.array(z.string()),
    ...common,
  }),
]);

/** An in-toto statement, version 1: the hash of every other entry, and what the bundle is. */
export const statementSchema = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(
    z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) }),
  ),
  predicateType: z.literal(predicateType),
  predicate: predicateSchema,
});

export type Statement = z.infer<typeof statementSchema>;
export type Predicate = z.infer<typeof predicateSchema>;
/** What is left out of a bundle, and why. */
export type LeftOut = z.infer<typeof leftOut>;

/** The statement about these entries, by name and `sha256:…`. */
export function makeBundleStatement(digests: ReadonlyMap<string, string>, predicate: Predicate): Statement {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...digests].map(([name, hash]) => ({ name, digest: { sha256: hash.slice('sha256:'.length) } })),
    predicateType,
    predicate,
  };
}

/** The statement in a payload; undefined where it is none. */
export function readBundleStatement(payload: Uint8Array): Statement | undefined {
  try {
    return statementSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
  } catch {
    return undefined;
  }
}
