import { moderationJob, type Content } from '../../jobs/moderation/index.ts';
import { textFormatOf } from '../../reports/index.ts';
import { judgeOne } from '../judge-one.ts';
import type { ModerateFlags } from '../moderate-flags.ts';
import { renderModeration } from '../views/show-moderation.ts';
import { readStandardInput } from '../read-input.ts';
import { openAgon } from '../open-agon.ts';
import { readModerationSettings } from '../settings-flags.ts';
import { renderVerdict } from '../views/show-verdict.ts';
import { writeReports } from '../judge/write-reports.ts';

export async function moderateOne(text: string | undefined, flags: ModerateFlags): Promise<number> {
  flags.report?.forEach(textFormatOf); // Before anything is paid for.
  const content = await contentFrom(text, flags);
  const agon = await openAgon(await readModerationSettings(flags), { jobs: ['moderation'] });
  try {
    return await judgeOne(flags, {
      trial: (options) => agon.judge(moderationJob, content, options),
      blocks: renderModeration,
      verdict: (answer, columns) => renderVerdict(answer, columns),
      report: (answer) =>
        writeReports(answer, {
          reports: flags.report ?? [],
          images: flags.image ?? [],
          policy: agon.policy,
          appeal: flags.appeal,
        }),
    });
  } finally {
    await agon.close();
  }
}

async function contentFrom(text: string | undefined, flags: ModerateFlags): Promise<Content> {
  const given = flags.stdin ? await readStandardInput() : text;
  const images = [
    ...(flags.image ?? []).map((file) => ({ file })),
    ...(flags.imageDescription ?? []).map((description) => ({ description })),
  ];
  return { ...(given === undefined ? {} : { text: given }), ...(images.length > 0 ? { images } : {}) };
}
