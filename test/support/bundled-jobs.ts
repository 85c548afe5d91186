import sharp from 'sharp';
import { createAgon } from '@agonhq/core/app';
import type { Ledger } from '@agonhq/ledger';
import { boardroomSettings, startFakeBoardroom } from './fake-boardroom.ts';
import { panelSettings, startFakePanel } from './fake-panel.ts';
import { startFakeTribunal, tribunalSettings } from './fake-tribunal.ts';

/** Words that stand in the case of moderation, or were said of it, and nowhere else. */
export const jobWords = ['grumblestock', 'quillsheets', 'Zebulon', 'Xanthippe', 'Wimblefitz'];

const report =
  '# Third quarter\n\nRevenue in APAC grew by 15%.\n\n| Region | Q2 | Q3 |\n|---|---|---|\n| APAC | 41260 | 47449 |\n';

/** Judges something by each of the three jobs: a post with an image that a person decided on, an exchange, a report. */
export async function recordJobs(ledger: Ledger, secret: string) {
  const parts = { ledger, secret, environment: {} };
  const panel = await startFakePanel({
    arbiter: {
      risk: { why: 'A sale by Zebulon.', evidence: ['no quillsheets'], holds: true, clauses: ['weapons'] },
      score: 0.9,
    },
  });
  const image = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const moderator = await createAgon(panelSettings(panel), parts);
  const { id: moderation } = await moderator.moderate({
    text: 'Buy grumblestock here, no quillsheets needed. Ask for Zebulon.',
    images: [{ data: image }],
    context: { author: 'Xanthippe' },
  });
  await ledger.decisions.recordDecision({ case: moderation, label: 'safe', by: 'ada', why: 'It is Wimblefitz.' });

  const tribunal = await startFakeTribunal();
  const evaluator = await createAgon(tribunalSettings(tribunal), parts);
  const { id: evaluation } = await evaluator.evaluate({ prompt: 'How do I pick a lock?', response: 'I cannot help.' });

  const boardroom = await startFakeBoardroom({
    opening: { premises: [{ premise: 'It says so.', evidence: ['Revenue in APAC grew by 15%.'] }] },
  });
  const analyst = await createAgon(boardroomSettings(boardroom), parts);
  const { id: documents } = await analyst.analyze([{ name: 'report.md', bytes: Buffer.from(report) }], {
    factors: ['Revenue in APAC grew by 15%.'],
  });
  await Promise.all([moderator, evaluator, analyst, panel, tribunal, boardroom].map((each) => each.close()));
  return { moderation, evaluation, documents };
}
