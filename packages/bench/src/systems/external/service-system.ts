import { addUsage, noUsage, type Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { ContentSafety, ModerationEndpoint } from '@agonhq/models/reasoners';
import {
  sumExternalUsage,
  assertAnswered,
  toExternalJudgement,
  type ExternalSystem,
  type ShownExternally,
} from './external-system.ts';
import { undecided, worstReading, type ExternalReading } from './guard.ts';

export interface ServiceSystemOptions<Subject> {
  name: string;
  /** Whether it looks at images itself or reads what all read of them. */
  images: string;
  show(subject: Subject, signal: AbortSignal): Promise<ShownExternally>;
}

interface Part {
  reading: ExternalReading;
  said: string;
  usage: Usage;
}

/** From here on a category is harmful: Azure's "low" and above. */
const harmful = 2;
const mostSevere = 6;

/**
 * Azure AI Content Safety: harmful when any category has severity 2 or more. Long texts are judged in pieces, and the
 * worst stands for all.
 */
export function contentSafetySystem<Subject>(
  service: ContentSafety,
  options: ServiceSystemOptions<Subject>,
): ExternalSystem<Subject> {
  return serviceSystem(service, options, { harmful }, ({ text, images }, signal) => {
    const analyze = service.forItem();
    return [
      ...splitIntoPieces(text ?? '', service.mostCharacters).map((piece) => ({ text: piece })),
      ...images.map((image) => ({ image })),
    ].map(async (subject): Promise<Part> => {
      const reply = await analyze(subject, { signal });
      if (reply.outcome === 'failed') return declined(service.id, reply);
      const { found, said, usage } = reply;
      if (found === null) return { reading: undecided, said, usage };
      const severity = Math.max(...Object.values(found));
      const categories = Object.keys(found).filter((category) => found[category]! >= harmful);
      return {
        reading: {
          label: severity >= harmful ? 'unsafe' : 'safe',
          score: Math.min(1, severity / mostSevere),
          categories,
        },
        said,
        usage,
      };
    });
  });
}

/**
 * OpenAI's moderation endpoint: unsafe when it flags. It looks at one image at a time; the text goes with the first.
 */
export function moderationEndpointSystem<Subject>(
  endpoint: ModerationEndpoint,
  options: ServiceSystemOptions<Subject>,
): ExternalSystem<Subject> {
  return serviceSystem(endpoint, options, {}, ({ text, images: [first, ...others] }, signal) => {
    const moderate = endpoint.forItem();
    return [
      { ...(text === null ? {} : { text }), ...(first ? { image: first } : {}) },
      ...others.map((image) => ({ image })),
    ].map(async (subject): Promise<Part> => {
      const reply = await moderate(subject, { signal });
      if (reply.outcome === 'failed') return declined(endpoint.id, reply);
      const { found, said, usage } = reply;
      if (found === null) return { reading: undecided, said, usage };
      const scores = Object.values(found.scores);
      return {
        reading: {
          label: found.flagged ? 'unsafe' : 'safe',
          score: scores.length === 0 ? null : Math.max(...scores),
          categories: found.categories,
        },
        said,
        usage,
      };
    });
  });
}

function declined(model: string, reply: { reason: string; detail: string; said: string; usage: Usage }): Part {
  assertAnswered(model, reply);
  return { reading: undecided, said: reply.said || reply.detail, usage: reply.usage };
}

function serviceSystem<Subject>(
  service: { id: string; fingerprint: string },
  { name, images, show }: ServiceSystemOptions<Subject>,
  rule: object,
  ask: (shown: ShownExternally, signal: AbortSignal) => readonly Promise<Part>[],
): ExternalSystem<Subject> {
  let spent = noUsage;
  return {
    name,
    kind: 'external',
    models: [service.id],
    configuration: hashOf({ service: service.fingerprint, rule, images }),
    async judge(subject, signal) {
      const shown = await show(subject, signal);
      if ((shown.text ?? '').trim() === '' && shown.images.length === 0)
        throw new AgonError('empty-subject', 'There is nothing to judge.', 'Take the empty item out of the data.');
      const parts = await Promise.all(ask(shown, signal));
      const usage = sumExternalUsage(parts);
      spent = addUsage(spent, usage);
      const { categories, ...reading } = worstReading(parts.map((part) => part.reading));
      return toExternalJudgement(
        service.id,
        { ...reading, categories: [...new Set(categories)] },
        parts.map(({ said }) => said).join('\n'),
        usage,
      );
    },
    spent: () => spent,
    close: async () => {},
  };
}

/** A text in pieces that a service takes, cut between words where there are some and never within a character. */
export function splitIntoPieces(text: string, mostCharacters: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > mostCharacters) {
    const end = cutBefore(rest, mostCharacters);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest.trim() === '' ? pieces : [...pieces, rest];
}

function cutBefore(text: string, most: number): number {
  const space = text.slice(0, most).search(/\s\S*$/u);
  if (space > most / 2) return space + 1;
  const lone = text.charCodeAt(most - 1);
  return lone >= 0xd800 && lone <= 0xdbff ? most - 1 : most;
}
