import { createAgon, type ModerationAnswer } from '@agonhq/core';
import { panelReply, roleOf, roundOf, startFakePanel, type PanelRole } from '@agonhq/test/support/fake-panel.ts';
import { benchSettings, libraryOf, scriptOf } from './bench-settings.ts';
import type { BenchCase } from './cases/index.ts';

/** One call of a debate as it really went over the wire. */
export interface CapturedCall {
  role: PanelRole;
  round: number;
  model: string;
  /** The request's JSON body. */
  body: any;
  reply: string;
  startedAt: number;
  endedAt: number;
}

/** Holds a case's full debate against a fake provider and returns every call with its answer. */
export async function captureCalls(benchCase: BenchCase, withPrecedents: boolean): Promise<CapturedCall[]> {
  const script = { ...scriptOf(benchCase, withPrecedents), latencyMs: 20 };
  const provider = await startFakePanel(script);
  const parts = {
    environment: {},
    secret: 'bench',
    ...(withPrecedents ? { precedents: libraryOf(benchCase.precedents) } : {}),
  };
  const agon = await createAgon(benchSettings(provider.url), parts);
  try {
    assertFull(benchCase, await agon.moderate(benchCase.content));
    return provider.requests.map((request) => {
      const reply = panelReply(script, request);
      if (reply.kind !== 'answer') throw new Error(`${benchCase.name}: the script of ${roleOf(request)} is no answer`);
      const { model, body, startedAt, endedAt } = request;
      return {
        role: roleOf(request),
        round: roundOf(request),
        model,
        body,
        reply: reply.text,
        startedAt,
        endedAt: endedAt!,
      };
    });
  } finally {
    await agon.close();
    await provider.close();
  }
}

/** A quote that is nowhere, or a fallback, would cost other calls than a full debate has. */
function assertFull(benchCase: BenchCase, answer: ModerationAnswer): void {
  const { calls } = answer.usage;
  const degraded = answer.verdict.degraded.map(({ kind, at }) => `${kind} at ${at}`);
  if (calls !== 6 || degraded.length > 0)
    throw new Error(`${benchCase.name}: ${calls} calls instead of 6; ${degraded.join(', ')}`);
}
