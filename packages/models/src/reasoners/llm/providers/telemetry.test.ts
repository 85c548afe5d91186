import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cutStream, json, malformedJson, status } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, key, setStage } from '@agonhq/test/fake-provider/stage.ts';

const exporter = new InMemorySpanExporter();
beforeAll(
  () =>
    void trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    ),
);
beforeEach(() => exporter.reset());
afterAll(() => {
  trace.disable();
  context.disable();
});

const role = debater({ words: { caseFile: 'PRIVATE-CASE' } });
const spoken = { ...good, statement: 'PRIVATE-ANSWER' };

function recorded() {
  const spans = exporter.getFinishedSpans();
  return {
    spans,
    everything: JSON.stringify(
      spans.map(({ name, attributes, events, status: state }) => ({ name, attributes, events, state })),
    ),
  };
}

describe('telemetry', () => {
  it('is silent unless asked for', async () => {
    await using stage = await setStage(() => json(spoken));
    await stage.ask({ role });
    expect(recorded().spans).toEqual([]);
  });

  it('records GenAI spans with model and tokens, and without content', async () => {
    await using stage = await setStage(() => json(spoken, { usage: { inputTokens: 70, outputTokens: 7 } }), {
      telemetry: {},
    });
    for (const onDelta of [undefined, () => {}]) await stage.ask({ role, onDelta });
    const { spans, everything } = recorded();
    expect(spans.map(({ name }) => name)).toContain('chat gpt-4o-mini');
    expect(spans.find(({ name }) => name === 'chat gpt-4o-mini')!.attributes).toMatchObject({
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.usage.input_tokens': 70,
      'gen_ai.usage.output_tokens': 7,
    });
    expect(everything).not.toMatch(/PRIVATE/);
  });

  it('records content when asked to', async () => {
    await using stage = await setStage(() => json(spoken), { telemetry: { content: true } });
    await stage.ask({ role });
    const { everything } = recorded();
    expect(everything).toContain('PRIVATE-CASE');
    expect(everything).toContain('PRIVATE-ANSWER');
  });

  it.each([false, true])(
    'records failures without keys, and without content unless asked for (%s)',
    async (content) => {
      const replies = [
        status(500, { message: `PRIVATE ${key}` }),
        status(200, { body: 'PRIVATE no json' }),
        malformedJson('PRIVATE'),
        cutStream('PRIVATE'),
      ];
      await using stage = await setStage(({ index }) => replies[index % replies.length]!, {
        telemetry: { content },
        defaults: { retries: 0 },
      });
      for (const onDelta of [undefined, () => {}]) for (const _ of replies) await stage.ask({ role, onDelta });
      const { spans, everything } = recorded();
      expect(spans.some((span) => span.events.length > 0)).toBe(true);
      expect(everything).not.toContain(key);
      if (!content) expect(everything).not.toMatch(/PRIVATE/);
    },
  );
});
