import { z } from 'zod';
import { hashOf } from '../hash.ts';
import type { CaseFile } from './case-file.ts';
import type { Seat } from './reasoner.ts';
import type { Question, Role } from './role.ts';
import type { Entry, Transcript } from './transcript.ts';

const schemas = new WeakMap<z.ZodType, unknown>();

/** Everything that can change a turn: the words of its prompt, the images by their hashes, the schema, the reasoner. */
export function turnInputHash(seat: Seat, question: Question): string {
  const { attachments = [], ...words } = seat.role.prompt(question);
  return hashOf({
    words,
    attachments: attachments.map(({ id, hash }) => ({ id, hash })),
    schema: jsonSchemaOf(seat.role),
    temperature: seat.role.temperature ?? null,
    maxOutputTokens: seat.role.maxOutputTokens,
    reasoner: seat.reasoner.fingerprint,
  });
}

/** Everything that can change a computed step: its parameters, the case file, what has been said so far. */
export function computeInputHash(name: string, parameters: unknown, caseFile: CaseFile, transcript: Transcript): string {
  return hashOf({ name, parameters, sources: caseFile.sources, said: transcript.map(whatWasSaid) });
}

function jsonSchemaOf(role: Role): unknown {
  if (!schemas.has(role.schema)) schemas.set(role.schema, z.toJSONSchema(role.schema));
  return schemas.get(role.schema);
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
