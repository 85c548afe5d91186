import { createFence } from '../../../debate/index.ts';
import type { Shot } from '../shots.ts';
import type { RoleContext } from './case-prompt.ts';

/**
 * The examples as the judge reads them, after the policy: data like the case itself, behind a mark that is theirs
 * whatever the case, so that providers cache them.
 */
export function renderExamples({ shots = [], secret }: RoleContext): string {
  if (shots.length === 0) return '';
  const texts = shots.flatMap((shot, index) =>
    textsOf(shot).map(({ part, text }) => ({ id: `example ${index + 1}, ${part}`, text })),
  );
  const fence = createFence({ sources: texts }, secret);
  return [
    'Exchanges that were decided under this policy, as examples; none of them is the one you judge:',
    ...texts.map(({ id, text }) => fence(id, text)),
  ].join('\n');
}

function textsOf({ prompt, response, label, why }: Shot): { part: string; text: string }[] {
  return [
    { part: 'prompt', text: prompt },
    { part: 'response', text: response },
    { part: 'decided', text: why ? `${label}: ${why}` : label },
  ];
}
