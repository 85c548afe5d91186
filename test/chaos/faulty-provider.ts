import {
  cutStream,
  hang,
  malformedJson,
  startFakeProvider,
  status,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
} from '../fake-provider/index.ts';
import { sha256 } from '@agonhq/engine/hash';
import { panelReply } from '../support/fake-panel.ts';
import { tribunalReply } from '../support/fake-tribunal.ts';
import { drawFor } from '../hostile/draws.ts';
import type { ProviderMode } from './plan-blows.ts';
import type { ServedCall } from './record.ts';

/** US dollars for a million tokens: so much that budgets of a few dollars are spent by short runs. */
export const price = { input: 100, output: 200 };

/** A provider over HTTP that notes every call, and misbehaves when it is told to. */
export interface FaultyProvider {
  port: number;
  mode: ProviderMode;
  close(): Promise<void>;
}

const latencyMs = { least: 15, most: 90, slow: 2_500 };
/** Of ten calls, so many go wrong while the provider is unwell. */
const unwell = 7;

export async function startFaultyProvider(seed: number, calls: ServedCall[]): Promise<FaultyProvider> {
  const draws = drawFor('provider', seed);
  const provider: FakeProvider = await startFakeProvider(answer, { forget: true });
  const own: FaultyProvider = { port: provider.port, mode: 'well', close: () => provider.close() };
  return own;

  async function answer(request: FakeRequest): Promise<FakeReply> {
    const mode = own.mode !== 'well' && draws.below(10) < unwell ? own.mode : 'well';
    const wait = latencyMs.least + draws.below(latencyMs.most - latencyMs.least);
    const good = request.prompt.includes('exchange-of') ? tribunalReply({}, request) : panelReply({}, request);
    const { reply, outcome } = misbehave(mode, good);
    const call: ServedCall = {
      ...subjectOf(request.prompt),
      by: String(request.headers['authorization']).replace('Bearer ', ''),
      asked: sha256(JSON.stringify(request.body)),
      startedAt: request.startedAt,
      endedAt: null,
      outcome,
      usd: 0,
    };
    calls.push(call);
    await new Promise((resolve) => setTimeout(resolve, mode === 'slow' ? latencyMs.slow : wait));
    call.endedAt = performance.now();
    call.usd = costOf(reply, request);
    return reply;
  }
}

function misbehave(mode: ProviderMode, good: FakeReply): { reply: FakeReply; outcome: ServedCall['outcome'] } {
  switch (mode) {
    case 'busy':
      return { reply: status(429, { retryAfter: 1 }), outcome: 'refused' };
    case 'broken':
      return { reply: status(500), outcome: 'refused' };
    case 'garbage':
      return { reply: malformedJson(), outcome: 'garbage' };
    case 'cut':
      return { reply: cutStream(), outcome: 'cut' };
    case 'hang':
      return { reply: hang(), outcome: 'hung' };
    case 'slow':
    case 'well':
      return { reply: good, outcome: 'good' };
  }
}

/** As it is billed: by what was said, whether somebody heard it or not. */
function costOf(reply: FakeReply, { prompt }: FakeRequest): number {
  if (reply.kind !== 'answer' && reply.kind !== 'cut') return 0;
  const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
  return (tokens(prompt) * price.input + tokens(reply.text) * price.output) / 1e6;
}

/** Every subject of the traffic has a word that names it. */
export function nameSubject(act: number, item = 0): string {
  return `chaos-${act}-${item}`;
}

function subjectOf(prompt: string): { act: number; item: number } {
  const found = /\bchaos-(\d+)-(\d+)\b/.exec(prompt);
  return { act: Number(found?.[1] ?? -1), item: Number(found?.[2] ?? -1) };
}
