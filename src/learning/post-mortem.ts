import type { Transcript, Verdict } from '../debate/index.ts';
import type { ModerationAnswer, ModerationCaseFile } from '../jobs/moderation/index.ts';

/** What was right all along, and who says so. */
export interface Truth {
  label: 'safe' | 'unsafe';
  why: string | null;
  clause: string | null;
  by: string;
}

/** A finished case as the curator sees it: the content, the whole trial, and the truth. */
export interface PostMortem extends ModerationCaseFile {
  truth: Truth;
  verdict: Verdict;
  trial: Transcript;
}

export function postMortemOf({ sources, subject, verdict, transcript }: ModerationAnswer, truth: Truth): PostMortem {
  return { sources, modality: subject.modality, images: subject.images, truth, verdict, trial: transcript };
}
