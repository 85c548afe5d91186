import { z } from 'zod';
import { personalCountsSchema } from '../personal-data/index.ts';

const count = z.number().nonnegative();

/** A message of a prompt; images stand in it by their hashes. */
const promptMessage = z
  .object({
    role: z.enum(['user', 'assistant']),
    content: z.string().describe('Its text; an image stands as `<sha256:…>`.'),
  })
  .meta({ id: 'PromptMessage' });

/** What a provider got with a request. */
export const disclosureSchema = z
  .object({
    host: z.string().describe('Who got it: the host that was called.'),
    here: z.boolean().describe('It runs on this machine: nothing left it.'),
    at: z.iso.datetime(),
    bytes: z.int().min(0).describe('Of the request.'),
    masked: personalCountsSchema.describe('Personal data that was hidden behind placeholders.'),
    unmasked: personalCountsSchema.describe('Personal data that went as it is, since the settings trust the provider.'),
    images: z.int().min(0).describe('Images that were sent; nothing in them is masked.'),
    withheldImages: z.int().min(0).describe('Images that the settings keep from the provider.'),
    recordings: z.int().min(0).describe('Recordings, or stretches of them, that were sent.'),
  })
  .meta({ id: 'Disclosure' });

export type Disclosure = z.infer<typeof disclosureSchema>;

/**
 * One thing that was asked of a model for a turn, and what came back: kept beside the turn and never part of it, so
 * that it changes no seal.
 */
export const modelCallSchema = z
  .object({
    model: z.string().describe('Who was asked: `openai:gpt-4o`.'),
    why: z
      .enum(['answer', 'repair', 'correction', 'embedding', 'transcription', 'screening'])
      .describe(
        '`answer`: the seat’s turn. `repair`: the reply did not follow its schema. `correction`: quotes that are in ' +
          'no source were sent back. `embedding`: precedents were looked for. `transcription`: a recording was ' +
          'written down. `screening`: a classifier or a moderation service was asked.',
      ),
    attempt: z.int().min(1).describe('From 2 on it was asked again, because the attempt before failed in passing.'),
    instructions: z.string().describe('The system message.'),
    messages: z.array(promptMessage),
    schema: z.string().nullable().describe('The JSON schema that the reply has to follow; null where none was sent.'),
    request: z
      .object({
        url: z.string(),
        headers: z.record(z.string(), z.string()).describe('Without keys: `$NAME` stands for one.'),
        body: z.unknown().describe('As it was sent; images stand as `<sha256:…>`.'),
      })
      .nullable()
      .describe('The HTTP request; null where nothing was sent.'),
    disclosure: disclosureSchema.nullable().optional().describe('What the provider got; null where nothing was sent.'),
    reply: z
      .object({ text: z.string().describe('The raw reply.'), finish: z.string() })
      .nullable()
      .describe('Null where none came.'),
    problem: z.string().nullable().describe('Why the attempt failed.'),
    cached: z.boolean().describe('The reply came from the cache, and nothing was sent.'),
    usage: z.object({
      inputTokens: count,
      outputTokens: count,
      cachedTokens: count,
      costUsd: z.number().nullable(),
    }),
    latencyMs: count,
  })
  .meta({ id: 'ModelCall' });

export type ModelCall = z.infer<typeof modelCallSchema>;

/** Where calls belong: to a turn, as it was asked. */
export interface TurnPlace {
  key: string;
  inputHash: string;
}
