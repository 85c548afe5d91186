import type { Ledger } from '../ledger/index.ts';
import { datasetNameOf } from '../runs/index.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import { sanitize } from './terminal/style.ts';

/** Puts the labels that items carry on record beside their verdicts: what a run can be learnt from. */
export interface LabelsNoted {
  note(answer: JudgedAnswer & { id: string }, label: 'safe' | 'unsafe' | undefined): Promise<void>;
  /** How many verdicts were not what their label says. */
  wrong(): number;
  /** What was noted, in a line; null when nothing was. */
  words(): string | null;
}

/**
 * For items of this file. Where no ledger is kept there is nothing to note; a label that cannot be noted costs no
 * verdict.
 */
export function openLabelNotes(ledger: Ledger | null, file: string): LabelsNoted {
  const by = `dataset:${datasetNameOf(file)}`;
  const counts = { noted: 0, wrong: 0, lost: 0 };
  let reason = '';
  return {
    async note({ id, verdict }, label) {
      if (!ledger || !label) return;
      try {
        await ledger.decisions.recordDecision({ case: id, label, by });
        counts.noted += 1;
        if (verdict.label !== label) counts.wrong += 1;
      } catch (error) {
        counts.lost += 1;
        reason = (error as Error).message;
      }
    },
    wrong: () => counts.wrong,
    words() {
      if (counts.noted + counts.lost === 0) return null;
      const lost = counts.lost > 0 ? ` ${counts.lost} could not be noted: ${reason}` : '';
      return `${counts.noted} labels noted as ${sanitize(by)}: ${counts.wrong} verdicts were wrong.${lost}`;
    },
  };
}
