import { z } from 'zod';
import { hashOf, sha256 } from '../hash.ts';
import type { CaseFile } from './case-file.ts';
import type { Seat } from './reasoner.ts';
import { promptFor, type Question } from './role.ts';
import type { Entry, Transcript } from './transcript.ts';

const schemas = new WeakMap<z.ZodType, string>();

/** Everything that can change a turn: the words of its prompt, the images by their hashes, the schema, the reasoner. */
export function hashTurnInput<Case extends CaseFile>(seat: Seat<Case>, question: Question<Case>): string {
  const { instructions, caseFile, transcript, task, attachments = [] } = promptFor(seat.role, question);
  const { temperature = null, maxOutputTokens } = seat.role;
  const images = attachments.map(({ id, hash }) => [id, hash]);
  // A list has one order already: prompts are long, and sorting keys would cost more than all the rest of a turn.
  const input = [
    instructions,
    caseFile,
    transcript,
    task,
    images,
    hashSchema(seat.role.schema),
    temperature,
    maxOutputTokens,
    seat.reasoner.fingerprint,
  ];
  return sha256(JSON.stringify(input));
}

/** Everything that can change a computed step: its parameters, the case file, what has been said so far. */
export function hashComputeInput(
  name: string,
  parameters: unknown,
  caseFile: CaseFile,
  transcript: Transcript,
): string {
  return hashOf({ name, parameters, sources: caseFile.sources, said: transcript.map(whatWasSaid) });
}

/** A schema is made once and asked with thousands of times. */
function hashSchema(schema: z.ZodType): string {
  let hash = schemas.get(schema);
  if (hash === undefined) schemas.set(schema, (hash = hashOf(z.toJSONSchema(schema))));
  return hash;
}

/** An entry without what may differ between two runs that said the same: latency, cost, who paid. */
function whatWasSaid(entry: Entry): unknown {
  switch (entry.kind) {
    case 'turn':
      return { key: entry.key, answer: entry.answer, evidence: entry.evidence, fallback: entry.fallback?.reason };
    case 'computed':
      return { key: entry.key, value: entry.value };
    case 'stop':
      return { key: entry.key, reason: entry.reason };
  }
}
