import type { Exchange } from '../../../jobs/evaluation/index.ts';
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
