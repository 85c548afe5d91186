import type { Fence, Precedent, Role } from '../../../debate/index.ts';
import { briefSchema, type Brief } from '../answers.ts';
import type { ModerationCaseFile } from '../case-file.ts';
import { layOut, panelRules, precedentsIn, type RoleContext } from './case-prompt.ts';

/** Grounds the debate: a summary, what the precedents teach, how they differ from the case, what recurs. */
export function supporter(context: RoleContext): Role<Brief, ModerationCaseFile> {
  return {
    id: 'supporter',
    schema: briefSchema,
    schemaName: 'brief',
    maxOutputTokens: 500,
    temperature: 0,
    prompt: (question) => {
      const precedents = precedentsIn(question);
      const laidOut = layOut(
        context,
        question,
        (fence) => renderPrecedents(precedents, fence),
        task(precedents.length),
      );
      // It judges nothing and has a schema of its own, so the policy would neither help it nor be cached for others.
      return { ...laidOut, instructions: panelRules };
    },
    read: (brief) => ({ statement: brief.summary, score: null, quotes: [] }),
    fallback: () => ({ summary: 'The supporter gave no brief.', cues: [], patterns: [] }),
  };
}

function task(precedents: number): string {
  const ask =
    'You are the supporter and take no side. summary: what the content is, says or asks, in at most 40 words.';
  if (precedents === 0) return `${ask} There is no precedent: leave cues and patterns empty.`;
  return (
    `${ask} cues: for the precedents that are really alike, at most three, the id, the cue it teaches to look ` +
    'for, and how this case differs ' +
    '(intent, context, target), in a few words each. patterns: what recurs among them, if anything does.'
  );
}

function renderPrecedents(precedents: readonly Precedent[], fence: Fence): string {
  if (precedents.length === 0) return '';
  const lines = precedents.map(({ id, label, category, summary, cues, why }) =>
    [
      `${id} (${label}${category ? `, ${category}` : ''}): ${summary} Cues: ${cues.join('; ') || 'none'}`,
      why && `Why ${label}: ${why}`,
    ]
      .filter(Boolean)
      .join(' '),
  );
  return fence('precedents', lines.join('\n'));
}
