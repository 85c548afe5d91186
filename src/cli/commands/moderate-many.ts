import { itemLines, openLines } from '../../items/index.ts';
import { moderationJob, readLabelledItem } from '../../jobs/moderation/index.ts';
import path from 'node:path';
import { countLines } from '../read-input.ts';
import { judgeMany } from '../judge-many.ts';
import { openLabelNotes } from '../labels-noted.ts';
import type { ModerateFlags } from '../moderate-flags.ts';
import { openAgon, createRunId, recordRun } from '../open-agon.ts';
import { readModerationSettings } from '../settings-flags.ts';
import { startLearning } from '../learning/start-learning.ts';

export async function moderateMany(flags: ModerateFlags): Promise<number> {
  const file = flags.file!;
  const root = flags.root ?? (file === '-' ? process.cwd() : path.dirname(file));
  const input = await openLines(file);
  const settings = await readModerationSettings(flags);
  const run = createRunId();
  const agon = await openAgon(settings, { jobs: ['moderation'], occasion: { run } });
  const labels = openLabelNotes(agon.ledger, file);
  try {
    const { configuration } = agon.provenanceOf(moderationJob);
    const code = await recordRun(agon.ledger, { id: run, job: 'moderation', configuration, input: file }, async () =>
      judgeMany(flags, {
        items: itemLines(input, (value) => readLabelledItem(value, root)),
        total: file === '-' ? undefined : await countLines(file),
        configuration,
        judge: async ({ content, label }, signal) => {
          const answer = await agon.moderate(content, { signal });
          await labels.note(answer, label);
          return answer;
        },
        spent: () => agon.spent(),
      }),
    );
    const started = labels.wrong() > 0 ? await startLearning(settings, flags) : null;
    const said = [labels.words(), started].filter(Boolean);
    if (said.length > 0 && !flags.quiet) process.stderr.write(`${said.join(' ')}\n`);
    return code;
  } finally {
    input.destroy();
    await agon.close();
  }
}
