import path from 'node:path';
import { itemLines, openLines, readModerationItem } from '../../runs/index.ts';
import { countLines } from '../count-lines.ts';
import { judgeMany } from '../judge-many.ts';
import type { ModerateFlags } from '../moderate-flags.ts';
import { recordedAgon } from '../recorded-agon.ts';
import { moderationSettingsFor } from '../settings-flags.ts';

export async function moderateMany(flags: ModerateFlags): Promise<number> {
  const file = flags.file!;
  const root = flags.root ?? (file === '-' ? process.cwd() : path.dirname(file));
  const input = await openLines(file);
  const agon = await recordedAgon(await moderationSettingsFor(flags), { jobs: ['moderation'] });
  try {
    return await judgeMany(flags, {
      items: itemLines(input, (value) => readModerationItem(value, root)),
      total: file === '-' ? undefined : await countLines(file),
      configuration: agon.provenance().configuration,
      judge: (content, signal) => agon.moderate(content, { signal }),
      spent: () => agon.spent(),
    });
  } finally {
    input.destroy();
    await agon.close();
  }
}
