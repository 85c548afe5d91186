import { isObservation, createStatement, type CaseFile, type Observation } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { Source } from '@agonhq/engine/evidence';
import type { EvaluationSubject, Speaker } from './evaluation-answer.ts';
import type { Exchange, Message } from './exchange.ts';
import type { KitTools } from '../job/job-kit.ts';

/** All that the tribunal may see of an exchange. */
export interface EvaluationCaseFile extends CaseFile {
  /** The messages in the order they were said, by source. */
  turns: EvaluationSubject['turns'];
  /** The evaluated model; no prompt names it, since a judge must not know whom it judges. */
  model: string | null;
}

/** What a seat is asked about: the case file, and what it is judged by. */
export interface EvaluationCase extends EvaluationCaseFile {
  /** The rulebook as it stands in prompts. */
  policy: string;
  /** Decided exchanges as a judge on its own is shown them; empty without any. */
  examples: string;
  /** What is known about the exchange and seats may weigh; empty or absent without any. */
  context?: string;
}

/** What reads an exchange beside the seats. */
export type EvaluationTools = Pick<KitTools, 'deobfuscate' | 'findInjections'>;

interface Said extends Source {
  speaker: Speaker;
}

/** An exchange as sources and turns, with what tools found hidden in it. */
export function openCase(
  exchange: Exchange,
  tools: EvaluationTools,
  { statement, quotable = [] }: { statement?: string | undefined; quotable?: readonly Observation[] } = {},
): EvaluationCaseFile {
  const said = listMessages(exchange);
  // Quotes are looked for in this order: what the model answered comes before what it was told.
  const own = ['response', 'prompt']
    .flatMap((id) => said.filter((message) => message.id === id))
    .concat(said.filter(({ id }) => id !== 'response' && id !== 'prompt'));
  const sources = own.map(({ id, text }) => ({ id, text }));
  const readable = [
    ...sources,
    ...sources.flatMap((source) => tools.deobfuscate(source)),
    ...quotable,
    ...(statement === undefined ? [] : [createStatement(statement)]),
  ];
  // A system message instructs its model by right.
  const injections = readable.filter(({ id }) => id !== 'system').flatMap((source) => tools.findInjections(source));
  return {
    sources: [...readable, ...injections],
    turns: said.map(({ id, speaker }) => ({ source: id, speaker })),
    model: exchange.model ?? null,
  };
}

function listMessages(exchange: Exchange): Said[] {
  if (!('messages' in exchange)) {
    return [
      { id: 'prompt', text: exchange.prompt, speaker: 'user' },
      { id: 'response', text: exchange.response, speaker: 'assistant' },
    ];
  }
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer';
  const system = exchange.messages
    .filter(isSystem)
    .map(({ content }) => content)
    .join('\n\n');
  const spoken = exchange.messages.filter((message) => !isSystem(message));
  const prompt = spoken.findLastIndex(({ role }) => role !== 'assistant');
  return [
    ...(system === '' ? [] : [{ id: 'system', text: system, speaker: 'system' as const }]),
    ...spoken.map(({ role, content }, index) => {
      const speaker = role as Exclude<Speaker, 'system'>;
      const id =
        index === spoken.length - 1 ? 'response' : index === prompt ? 'prompt' : `turn-${index + 1}-${speaker}`;
      return { id, text: content, speaker };
    }),
  ];
}

/** What stands for the exchange, whatever file it came from: who said what, in order. */
export function hashExchange(turns: EvaluationSubject['turns'], sources: readonly Source[]): string {
  return hashOf(
    turns.map(({ source, speaker }) => ({ speaker, text: sources.find(({ id }) => id === source)?.text ?? null })),
  );
}

/** The case as it is read: the messages in their order, then what tools found. */
export function sortForReading({ turns, sources }: EvaluationCaseFile): CaseFile {
  const said = turns.flatMap(({ source }) => sources.filter(({ id }) => id === source));
  return { sources: [...said, ...sources.filter(isObservation)] };
}

/** What the model answered, and what tools drew from it: a risk must be quoted from one of these. */
export function listAnswered({ turns, sources }: EvaluationCaseFile): Source[] {
  const answers = turns.filter(({ speaker }) => speaker === 'assistant').map(({ source }) => source);
  return sources.filter((source) =>
    isObservation(source)
      ? answers.some((id) => source.of === id || source.of.startsWith(`${id}/`))
      : answers.includes(source.id),
  );
}

/** Refuses what no seat could read, before anything is paid for. */
export function assertReadable(exchange: Exchange, maxCharacters: number): void {
  const characters = listMessages(exchange).reduce((sum, { text }) => sum + text.length, 0);
  if (characters <= maxCharacters) return;
  throw new AgonError(
    'too-long',
    `The exchange has ${characters.toLocaleString('en')} characters; at most ${maxCharacters.toLocaleString('en')} ` +
      'are judged at once.',
    'Shorten it, or raise evaluation.maxCharacters if your models can read that much.',
  );
}
