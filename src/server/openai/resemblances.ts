import { isObservation } from '../../debate/index.ts';
import type { ModerationAnswer } from '../../jobs/moderation/index.ts';
import type { Policy } from '../../policy/index.ts';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { clauseResemblance } from '../../reasoners/index.ts';
import { partSeparator } from '../../text/index.ts';

type Resemblance = ReturnType<typeof clauseResemblance>;

const byPolicy = new WeakMap<Policy, Resemblance>();

/** How near what was judged stands to each clause: as near as the nearest of its parts. */
export async function resemblancesOf(
  { sources }: Pick<ModerationAnswer, 'sources'>,
  policy: Policy,
  seeds: readonly KeptPrecedent[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  let resemblance = byPolicy.get(policy);
  if (!resemblance)
    byPolicy.set(
      policy,
      (resemblance = clauseResemblance(
        policy,
        seeds.flatMap(({ label, clause, text }) => (label === 'unsafe' && clause !== null ? [{ clause, text }] : [])),
      )),
    );
  const near = new Map<string, number>();
  for (const text of partsOf(sources))
    for (const { id, similarity } of await resemblance(text, { signal }))
      near.set(id, Math.max(near.get(id) ?? -Infinity, similarity));
  return near;
}

/** The content as the guard reads it: the text with what its images show, and by itself what is written in them. */
function partsOf(sources: ModerationAnswer['sources']): string[] {
  const of = (...tools: string[]) =>
    sources.filter((source) => isObservation(source) && tools.includes(source.tool)).map(({ text }) => text);
  const message = [
    ...sources.filter((source) => !isObservation(source)).map(({ text }) => text),
    ...of('vision', 'given'),
  ].join(partSeparator);
  return [message, ...of('ocr')].filter((text) => text !== '');
}
