import type { AnswerUsage, Provenance } from './answer.ts';
import type { Transcript } from './transcript.ts';

/** What every answer has, whatever its job. */
export interface JobAnswer {
  version: 1;
  id: string;
  job: string;
  transcript: Transcript;
  usage: AnswerUsage;
  provenance: Provenance;
  /** `sha256:…` of all of the above. */
  seal: string;
}
