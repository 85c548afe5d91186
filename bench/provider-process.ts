import { panelReply } from '../test/support/fake-panel.ts';
import { startFakeProvider } from '../test/fake-provider/index.ts';
import { scriptOf } from './bench-settings.ts';
import { mediumPost } from './cases/index.ts';

/* The fake provider in a process of its own, so that its work does not count into what is measured. */

const latencyMs = Number(process.argv[2]);
const script = { ...scriptOf(mediumPost), latencyMs };
const provider = await startFakeProvider((request) => panelReply(script, request), { forget: true });
process.send!({ url: provider.url });
process.on('disconnect', () => process.exit());
