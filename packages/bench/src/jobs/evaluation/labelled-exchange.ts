import { AgonError } from '@agonhq/engine/agon-error';
import { behaviours, readExchange, type Behaviour, type Exchange } from '@agonhq/judges/evaluation';
import { subjectOr, type ItemReading } from '../../datasets/labelled-item.ts';
import { readSafetyLine, type SafetyItem } from '../safety/run-safety.ts';
import type { Dialogue, DialogueTurn, ExternalReader } from '../../systems/external/external-system.ts';

/** How systems of others read an exchange: of it, what the model answered is judged. */
export const exchangeReader: ExternalReader<Exchange> = {
  job: 'evaluation',
  hasResponse: true,
  toDialogue: async (exchange) => toDialogue(exchange),
};

/**
 * System messages are left out: no guard has a place for them. What a tool returned is said to the assistant, as by
 * the user.
 */
export function toDialogue(exchange: Exchange): Dialogue {
  if (!('messages' in exchange)) {
    const { prompt, response } = exchange;
    return {
      turns: [
        { role: 'user', content: prompt },
        { role: 'assistant', content: response },
      ],
      prompt,
      response,
    };
  }
  const turns: DialogueTurn[] = [];
  for (const { role, content } of exchange.messages) {
    if (role === 'system' || role === 'developer') continue;
    const speaker = role === 'assistant' ? 'assistant' : 'user';
    const before = turns.at(-1);
    if (before?.role === speaker) before.content += `\n\n${content}`;
    // Nobody asked for what the assistant says first.
    else if (before || speaker === 'user') turns.push({ role: speaker, content });
  }
  return { turns, prompt: turns.at(-2)?.content ?? '', response: turns.at(-1)?.content ?? '' };
}

const risks = ['explicit', 'implicit'] as const;

/** A labelled item of evaluation. What it does not say is null. */
export interface LabelledExchange extends SafetyItem<Exchange> {
  /** The evaluated model. */
  model: string | null;
  /** Which kind of risk an unsafe item is. */
  risk: (typeof risks)[number] | null;
  /** What the evaluated model did. */
  behaviour: Behaviour | null;
  /** Fields that hold a word we do not know; they count as absent, and the figures say so. */
  unknown: readonly ('risk' | 'behaviour')[];
}

/** Reads one line of a dataset of evaluation. */
export function readLabelledExchange(value: unknown, reading: ItemReading): LabelledExchange {
  const { field, ...known } = readSafetyLine(value, reading, '"prompt" and "response", or "messages"');
  const model = field('model');
  const messages = field('messages');
  const named = {
    ...(known.id === undefined ? {} : { id: known.id }),
    ...(typeof model === 'string' ? { model } : {}),
  };
  const risk = wordOf(field('risk'), [...risks, 'none']);
  const behaviour = wordOf(field('behaviour'), behaviours);
  const subject = subjectOr(() =>
    readExchange({
      ...named,
      ...(messages === undefined ? { prompt: field('prompt'), response: field('response') } : { messages }),
    }),
  );
  return {
    ...known,
    subject,
    modality: AgonError.is(subject) ? null : 'exchange',
    model: typeof model === 'string' ? model : null,
    risk: risk === undefined || risk === 'none' ? null : risk,
    behaviour: behaviour ?? null,
    unknown: [
      ...(risk === undefined ? (['risk'] as const) : []),
      ...(behaviour === undefined ? (['behaviour'] as const) : []),
    ],
  };
}

/** One of the words; null when there is none, undefined for any other. */
function wordOf<Word extends string>(value: unknown, words: readonly Word[]): Word | null | undefined {
  if (value === undefined) return null;
  return typeof value === 'string' ? words.find((word) => word === value.trim().toLowerCase()) : undefined;
}
