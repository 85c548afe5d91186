import type { Ledger } from '../../ledger/index.ts';
import { nameDataset } from '../../runs/index.ts';
import type { JudgedAnswer } from './judge-one.ts';
import { formatCount } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';

/** Records the labels of items beside their verdicts, so that Agon can learn from them. */
export interface LabelsNoted {
  note(answer: JudgedAnswer & { id: string }, label: 'safe' | 'unsafe' | undefined): Promise<void>;
  /** How many verdicts contradict their label. */
  wrong(): number;
  /** What was recorded, in a line; null for nothing. */
  words(): string | null;
}

/**
 * For items of this file. Without a ledger nothing is recorded; a label that cannot be recorded costs no verdict.
 */
export function openLabelNotes(ledger: Ledger | null, file: string): LabelsNoted {
  const by = `dataset:${nameDataset(file)}`;
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
      const lost = counts.lost > 0 ? ` ${counts.lost} could not be recorded: ${reason}` : '';
      return `${formatCount(counts.noted, 'label')} recorded as ${sanitize(by)}: ${formatCount(counts.wrong, 'verdict')} wrong.${lost}`;
    },
  };
}
