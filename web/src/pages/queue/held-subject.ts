import type { QueueItem } from '../../api/types.ts';
import { newTrial, toText, type TrialView } from '../../trial/trial-view.ts';

/** What is to be judged, as a trial in which nobody has spoken. */
export function toTrialView({ id, job, sources, attachments }: QueueItem): TrialView {
  return newTrial(job, {
    id,
    sources: sources.map((source) => ({
      id: source.id,
      text: source.text,
      tool: toText(source['tool']),
      of: toText(source['of']),
      note: toText(source['note']),
    })),
    images: attachments.map(({ hash }, index) => ({ id: `image-${index + 1}`, hash })),
  });
}
