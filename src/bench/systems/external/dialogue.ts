import type { Exchange } from '../../../jobs/evaluation/index.ts';
import { AgonError } from '../../../errors.ts';
import type { Content } from '../../../jobs/moderation/index.ts';

export interface DialogueTurn {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * What guard models read: a user and an assistant who take turns, the user first. A lone content is the user's only
 * turn, and nobody answered it.
 */
export interface Dialogue {
  turns: readonly DialogueTurn[];
  /** The last that the user said. */
  prompt: string;
  /** What the assistant answered; null for a lone content. */
  response: string | null;
}

export function dialogueOfContent(text: string): Dialogue {
  return { turns: [{ role: 'user', content: text }], prompt: text, response: null };
}

/**
 * System messages are left out: no guard has a place for them. What a tool returned is said to the assistant, as by
 * the user.
 */
export function dialogueOfExchange(exchange: Exchange): Dialogue {
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

/**
 * A content as those read it who read text alone: its text and, in the very words that the debate reads, its images.
 */
export function contentAsText({ text, images = [] }: Content): string {
  const seen = images.map((image) => {
    if ('description' in image) return `Image: ${image.description}`;
    throw new AgonError(
      'no-description',
      'An image has no description, and this system reads only text.',
      'Name who describes images (--preprocessor openai:gpt-4o-mini), or give descriptions in the data.',
    );
  });
  return [...(text === undefined ? [] : [text]), ...seen].join('\n\n');
}

export function hasUnseenImages({ images = [] }: Content): boolean {
  return images.some((image) => !('description' in image));
}
