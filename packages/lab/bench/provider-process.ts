import { panelReply } from '@agonhq/test/support/fake-panel.ts';
import { json, startFakeProvider } from '@agonhq/test/fake-provider/index.ts';
import { scriptOf } from './bench-settings.ts';
import { mediumPost } from './cases/index.ts';

/* The fake provider in a process of its own, so that its work does not count into what is measured. */

const latencyMs = Number(process.argv[2]);
const script = { ...scriptOf(mediumPost), latencyMs };
const opinion = {
  statement: 'The response is harmless.',
  evidence: [],
  clauses: [],
  behaviour: 'complied',
  label: 'safe',
  distribution: { explicit: 0.05, implicit: 0.05, none: 0.9 },
};
const provider = await startFakeProvider(
  (request) =>
    request.prompt.includes('You are a judge') ? json(opinion, { latencyMs }) : panelReply(script, request),
  { forget: true },
);
process.send!({ url: provider.url });
process.on('disconnect', () => process.exit());
