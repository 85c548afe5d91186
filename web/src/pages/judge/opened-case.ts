import type { CaseRecord } from '../../api/types.ts';
import {
  newTrial,
  toRecord,
  toText,
  trialFromAnswer,
  type JudgedImage,
  type TrialSource,
  type TrialView,
} from '../../trial/trial-view.ts';
import type { Order } from './order.ts';

/** A case as it is found on record: its whole trial, or what is to be judged in it. */
export function openedCase({ id, job, content, answer, live }: CaseRecord): TrialView {
  if (answer !== null) return trialFromAnswer(answer);
  const given = toRecord(content);
  return newTrial(job, { id, state: live ? 'live' : 'stopped', sources: textsIn(given), images: imagesIn(given) });
}

function textsIn(content: Record<string, unknown>): TrialSource[] {
  return ['text', 'prompt', 'response'].flatMap((name) => {
    const text = toText(content[name]);
    return text === null ? [] : [{ id: name, text, tool: null, of: null, note: null }];
  });
}

function imagesIn({ images }: Record<string, unknown>): JudgedImage[] {
  return Array.isArray(images)
    ? images.map((image, index) => ({ id: `image-${index + 1}`, hash: toText(toRecord(image)['attachment']) }))
    : [];
}

/** What can be asked again from the page: texts are at hand, files are not. */
export function orderOf({ job, sources, images }: Pick<TrialView, 'job' | 'sources' | 'images'>): Order | null {
  const textOf = (id: string) => sources.find((source) => source.id === id && source.tool === null)?.text;
  if (job === 'evaluation') {
    const [prompt, response] = [textOf('prompt'), textOf('response')];
    return prompt === undefined ||
      response === undefined ||
      sources.some(({ id }) => id.startsWith('turn-') || id === 'system')
      ? null
      : { job, prompt, response, method: '' };
  }
  const text = textOf('text');
  return job === 'moderation' && text !== undefined && images.length === 0
    ? { job, text, images: [], method: '' }
    : null;
}
