import { decodeHoles, encodeHoles } from './holes.ts';
import { fillTemplate, type ReadTemplate } from './fill-template.ts';
import { makeShape, matchTemplate, type Shape } from './match-template.ts';
import type { SharedParts, SharedSetup, SharedTemplate } from './shared-parts.ts';
import { writeTemplate, type KnownValues } from './write-template.ts';

/** What is kept of an answer: what it shares, and the rest beside what else stands in its row. */
interface PackedAnswer {
  template: SharedTemplate;
  holes: Uint8Array;
}

/** All texts of a content, in their order: quotations are ranges of them. */
export function listPackedTexts(content: unknown, texts: string[] = []): string[] {
  if (typeof content === 'string') texts.push(content);
  else if (typeof content === 'object' && content !== null)
    for (const member of Object.values(content)) listPackedTexts(member, texts);
  return texts;
}

/** The context that an answer tells: it is not kept again beside it. */
export function readToldContext(answer: object): unknown {
  const { subject } = answer as { subject?: { context?: unknown } };
  return subject?.context;
}

interface KnownShape {
  shape: Shape;
  template: SharedTemplate;
}

interface AnswerSurroundings {
  setup: SharedSetup;
  rule: string;
  known: KnownValues;
  /** That quotations are ranges of. */
  texts: readonly string[];
  /** That no template may repeat. */
  secrets: readonly string[];
}

/** So many shapes of one set-up and rule are held against an answer before its template is written anew. */
const mostTried = 16;

/**
 * Packs answers: the template that each shares with others, and what is its own. Null where its template cannot be
 * kept.
 */
export function answerPacker({ findTemplate }: Pick<SharedParts, 'findTemplate'>) {
  const shapes = new Map<string, KnownShape[]>();

  return async (
    answer: object & { seal: string },
    { setup, rule, known, texts, secrets }: AnswerSurroundings,
  ): Promise<PackedAnswer | null> => {
    const key = `${setup.id} ${rule}`;
    const tried = shapes.get(key) ?? [];
    shapes.set(key, tried);
    for (const [index, one] of tried.entries()) {
      const holes = matchTemplate(one.shape, answer, known);
      if (!holes) continue;
      // What fits often is tried first.
      if (index > 0) [tried[index - 1], tried[index]] = [one, tried[index - 1]!];
      return { template: one.template, holes: encodeHoles(holes, texts) };
    }
    const { template: body, holes } = writeTemplate(answer, known, texts, setup.rules);
    const template = await findTemplate(body, rule, secrets);
    if (template === null) return null;
    if (tried.length < mostTried && !tried.some((one) => one.template === template))
      tried.push({ shape: makeShape(body, holes), template });
    return { template, holes: encodeHoles(holes, texts) };
  };
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
