import { openLineFile, type LineFile } from '../../runs/index.ts';
import { askedLines, type AskedLine, type KeyEntry } from './asked-items.ts';
import type { Decision } from './resolve.ts';

export interface DecidedFiles {
  /** What was decided: labelled data for `agon bench`. */
  out: string;
  /** What is still open, as it was asked. */
  open?: string;
}

/** Goes through the flagged items once more and writes what became of them, all files or none. */
export async function writeDecided(
  flagged: string,
  key: ReadonlyMap<string, KeyEntry> | undefined,
  decisions: readonly Decision[],
  files: DecidedFiles,
): Promise<void> {
  const byId = new Map(decisions.map((decision) => [decision.id, decision]));
  const out = await openLineFile(files.out);
  let open: LineFile | null = null;
  try {
    open = files.open === undefined ? null : await openLineFile(files.open);
    for await (const asked of askedLines(flagged, key)) {
      const decision = byId.get(asked.id);
      if (decision) await out.write(`${JSON.stringify(decidedLine(asked, decision))}\n`);
    }
    if (open)
      for await (const { id, fields } of askedLines(flagged))
        if (!byId.has(id)) await open.write(`${JSON.stringify(fields)}\n`);
    await out.keep();
    await open?.keep();
  } catch (error) {
    await out.drop().catch(() => {});
    await open?.drop().catch(() => {});
    throw error;
  }
}

/**
 * An item of our own benchmark form: the label that people gave it, what each of them said, and how far they agreed.
 */
function decidedLine(
  { fields }: Pick<AskedLine, 'fields'>,
  { id, label, votes, agreement, gold }: Decision,
): Record<string, unknown> {
  return {
    ...fields,
    id,
    label,
    raters: votes.map((vote) => vote.label),
    agreement,
    votes: votes.map(({ rater, label: given, reason }) => ({
      rater,
      label: given,
      ...(reason === null ? {} : { reason }),
    })),
    ...(gold === null ? {} : { label_before: gold }),
  };
}
