import { createHmac } from 'node:crypto';
import { canonicalJson } from '../hash.ts';
import { isObservation, type CaseFile } from './case-file.ts';
import type { Prompt, Question } from './role.ts';
import { toLabel } from '../text/index.ts';

/** Sets untrusted text apart, so that nothing in it reads as an instruction. */
export type Fence = (label: string, text: string) => string;

/**
 * A fence whose mark nobody who wrote the content could know: an HMAC of the case file with the installation's
 * secret. It is the same throughout a debate, so that prompts keep their common prefix and caches match.
 */
export function createFence(caseFile: CaseFile, secret: string): Fence {
  // Every seat asks for the fence of the same case, twice a turn: a long text is hashed once.
  const known = fences.get(caseFile);
  if (known?.secret === secret) return known.fence;
  const digest = createHmac('sha256', secret).update(canonicalJson(caseFile.sources)).digest();
  // Six letters: three hundred million marks to guess from, in two or three tokens.
  const mark = Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
  // Seats see the mark and may be talked into repeating it: what they said is fenced again, without it.
  // Hardly ever is there one, and finding out is cheaper than a new expression for every case.
  const without = (text: string) =>
    text.toLowerCase().includes(mark) ? text.replaceAll(new RegExp(mark, 'gi'), '…') : text;
  const fence: Fence = (label, text) => `<<${mark} ${without(label)}>>\n${without(text)}\n<<${mark} end>>`;
  fences.set(caseFile, { secret, fence });
  return fence;
}

const fences = new WeakMap<CaseFile, { secret: string; fence: Fence }>();

/** The case file as text: each source between its own fences, observations with the tool that made them. */
export function renderCaseFile(caseFile: CaseFile, fence: Fence): string {
  return caseFile.sources
    .map((source) => {
      const origin = isObservation(source)
        ? ` (by ${source.tool} from ${source.of}${source.note ? `; ${toLabel(source.note)}` : ''})`
        : '';
      return fence(`${source.id}${origin}`, source.text);
    })
    .join('\n');
}

/** The parts of a prompt, in the order in which they change less and less often from the last to the first. */
export interface PromptParts {
  /** The same for every seat and every case, so that providers cache it across debates. */
  rules: string;
  /** The case as the role reads it; by default every source of it. */
  caseFile?: string;
  /** What was said so far, as far as the role sees it. */
  said?: string;
  task: string;
}

/**
 * Lays a question out for prefix caches: rules and case first, then what was said, the task last.
 *
 * @example prompt: (question) => layOutPrompt(question, { rules, task: 'You are the critic. …' })
 */
export function layOutPrompt(
  question: Pick<Question, 'caseFile' | 'fence'>,
  { rules, caseFile = renderCaseFile(question.caseFile, question.fence), said = '', task }: PromptParts,
): Prompt {
  return {
    instructions: rules,
    caseFile,
    transcript: said === '' ? '' : question.fence('debate', said),
    task,
  };
}

/** A decided case that a judge is shown, in its parts: `text`, `response`, `decided`. */
export type Example = readonly { part: string; text: string }[];

/**
 * Decided cases as a judge reads them after the rules: data like the case itself, behind a mark that is theirs whatever
 * the case, so that providers cache them. Empty without any.
 */
export function renderExamples(heading: string, examples: readonly Example[], secret: string): string {
  if (examples.length === 0) return '';
  const texts = examples.flatMap((example, index) =>
    example.map(({ part, text }) => ({ id: `example ${index + 1}, ${part}`, text })),
  );
  const fence = createFence({ sources: texts }, secret);
  return [heading, ...texts.map(({ id, text }) => fence(id, text))].join('\n');
}
