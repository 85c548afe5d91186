import { decodeHoles, encodeHoles } from './holes.ts';
import { fillTemplate, type ReadTemplate } from './fill-template.ts';
import { writeTemplate, type KnownValues } from './write-template.ts';

/** What is kept of an answer beside its template, and what else stands in its row. */
export interface PackedAnswer {
  template: string;
  holes: Uint8Array;
}

/** All texts of a content, in their order: quotations are ranges of them. */
export function listTexts(content: unknown, texts: string[] = []): string[] {
  if (typeof content === 'string') texts.push(content);
  else if (typeof content === 'object' && content !== null)
    for (const member of Object.values(content)) listTexts(member, texts);
  return texts;
}

/**
 * Packs an answer: the template that it shares with others, and what is its own. `rules` is its policy as JSON.
 *
 * @example packAnswer(answer, known, listTexts({ text: 'Lovely weather.' }), JSON.stringify(policy))
 */
export function packAnswer(
  answer: object & { seal: string },
  known: KnownValues,
  texts: readonly string[],
  rules: string,
): PackedAnswer {
  const { template, holes } = writeTemplate(answer, known, texts, rules);
  return { template, holes: encodeHoles(holes, texts) };
}

/** The JSON of an answer, letter by letter as it was packed. */
export function unpackAnswer(
  template: ReadTemplate,
  holes: Uint8Array,
  known: KnownValues,
  texts: readonly string[],
  seal: string,
): string {
  return fillTemplate(template, known, decodeHoles(holes, texts), seal);
}
