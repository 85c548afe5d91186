import type { FakeReply, FakeToken } from './replies.ts';

/** One provider's API: how a request is read from it and how an answer is written in it. */
export interface Dialect {
  api: 'openai' | 'completions' | 'anthropic' | 'google' | 'service';
  read(path: string, body: any): { model: string; stream: boolean; schema: unknown; texts: string[]; images: number };
  whole(answer: Spoken): unknown;
  events(answer: Spoken): { event?: string; data: unknown }[];
}

/** An answer with everything filled in. */
export interface Spoken {
  model: string;
  text: string;
  finish: Extract<FakeReply, { kind: 'answer' }>['finish'] | 'cut';
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number } | null;
  /** Where they were asked for. */
  logprobs?: readonly FakeToken[];
}

const pieces = (text: string): string[] => text.match(/[^]{1,12}/g) ?? [];

function partsOf(content: any): any[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function openaiUsage(usage: Spoken['usage']) {
  return usage === null
    ? undefined
    : {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
        prompt_tokens_details: { cached_tokens: usage.cachedTokens },
      };
}

const openaiFinish = { stop: 'stop', length: 'length', 'content-filter': 'content_filter', refusal: 'stop', cut: null };

const openai: Dialect = {
  api: 'openai',
  read(path, body) {
    const parts = (body.messages ?? []).flatMap((message: any) => partsOf(message.content));
    return {
      model: body.model ?? /deployments\/([^/]+)/.exec(path)?.[1] ?? '',
      stream: body.stream === true,
      schema: body.response_format?.json_schema?.schema,
      texts: parts.filter((part: any) => part.type === 'text').map((part: any) => part.text),
      images: parts.filter((part: any) => part.type === 'image_url').length,
    };
  },
  whole({ model, text, finish, usage, logprobs }) {
    const message =
      finish === 'refusal' ? { role: 'assistant', content: null, refusal: text } : { role: 'assistant', content: text };
    return {
      id: 'chatcmpl-fake',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [
        {
          index: 0,
          message,
          finish_reason: openaiFinish[finish],
          ...(logprobs ? { logprobs: { content: logprobs.map(placeOf) } } : {}),
        },
      ],
      usage: openaiUsage(usage),
    };
  },
  events({ model, text, finish, usage }) {
    const chunk = (rest: object) => ({
      data: { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model, ...rest },
    });
    const field = finish === 'refusal' ? 'refusal' : 'content';
    const deltas = pieces(text).map((piece) =>
      chunk({ choices: [{ index: 0, delta: { [field]: piece }, finish_reason: null }] }),
    );
    if (finish === 'cut') return deltas;
    return [
      ...deltas,
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: openaiFinish[finish] }] }),
      chunk({ choices: [], usage: openaiUsage(usage) ?? null }),
      { data: '[DONE]' },
    ];
  },
};

function placeOf({ token, logprob, top = {} }: FakeToken) {
  return {
    token,
    logprob,
    bytes: null,
    top_logprobs: Object.entries(top).map(([other, chance]) => ({ token: other, logprob: chance, bytes: null })),
  };
}

/** OpenAI's older API, which vLLM, TGI and llama.cpp keep: the whole prompt in, its continuation out. */
const completions: Dialect = {
  api: 'completions',
  read: (_path, body) => ({
    model: body.model,
    stream: body.stream === true,
    schema: undefined,
    texts: [body.prompt].flat(),
    images: 0,
  }),
  whole({ model, text, finish, usage, logprobs }) {
    const columns = logprobs && {
      tokens: logprobs.map(({ token }) => token),
      token_logprobs: logprobs.map(({ logprob }) => logprob),
      top_logprobs: logprobs.map(({ top = {} }) => top),
      text_offset: [],
    };
    return {
      id: 'cmpl-fake',
      object: 'text_completion',
      created: 0,
      model,
      choices: [{ index: 0, text, finish_reason: openaiFinish[finish], logprobs: columns ?? null }],
      usage: openaiUsage(usage),
    };
  },
  events: () => [],
};

/** Moderation services: what the script answers is the body. */
const service: Dialect = {
  api: 'service',
  read(_path, body) {
    const parts: any[] = typeof body.input === 'string' ? [{ type: 'text', text: body.input }] : (body.input ?? []);
    const texts = parts.filter((part) => part.type === 'text').map((part) => part.text);
    return {
      model: body.model ?? '',
      stream: false,
      schema: undefined,
      texts: body.text === undefined ? texts : [body.text],
      images: parts.filter((part) => part.type === 'image_url').length + (body.image ? 1 : 0),
    };
  },
  whole({ text }) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
  events: () => [],
};

const anthropicStop = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  refusal: 'refusal',
  cut: null,
};

const anthropic: Dialect = {
  api: 'anthropic',
  read(_path, body) {
    const parts = (body.messages ?? []).flatMap((message: any) => partsOf(message.content));
    return {
      model: body.model,
      stream: body.stream === true,
      schema: body.output_config?.format?.schema ?? body.output_format?.schema ?? body.tools?.[0]?.input_schema,
      texts: [...partsOf(body.system), ...parts].filter((part) => part.type === 'text').map((part) => part.text),
      images: parts.filter((part: any) => part.type === 'image').length,
    };
  },
  whole({ model, text, finish, usage }) {
    return {
      id: 'msg_fake',
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: anthropicStop[finish],
      stop_sequence: null,
      usage: anthropicUsage(usage),
    };
  },
  events({ model, text, finish, usage }) {
    const event = (type: string, rest: object) => ({ event: type, data: { type, ...rest } });
    const message = { id: 'msg_fake', type: 'message', role: 'assistant', model, content: [], stop_reason: null };
    const opening = [
      event('message_start', { message: { ...message, usage: anthropicUsage(usage) } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...pieces(text).map((piece) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
      ),
    ];
    if (finish === 'cut') return opening;
    return [
      ...opening,
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: anthropicStop[finish], stop_sequence: null },
        usage: { output_tokens: usage?.outputTokens ?? 0 },
      }),
      event('message_stop', {}),
    ];
  },
};

/** Anthropic counts cached tokens beside the others, not among them. */
function anthropicUsage(usage: Spoken['usage']) {
  const { inputTokens, outputTokens, cachedTokens } = usage ?? { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return {
    input_tokens: inputTokens - cachedTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
  };
}

const googleFinish = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'PROHIBITED_CONTENT',
  refusal: 'SAFETY',
  cut: null,
};

const google: Dialect = {
  api: 'google',
  read(path, body) {
    const parts = [
      ...(body.systemInstruction?.parts ?? []),
      ...(body.contents ?? []).flatMap((content: any) => content.parts),
    ];
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      stream: path.includes(':streamGenerateContent'),
      schema: body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema,
      texts: parts.filter((part) => typeof part.text === 'string').map((part) => part.text),
      images: parts.filter((part) => part.inlineData).length,
    };
  },
  whole({ text, finish, usage }) {
    return {
      candidates: [
        { content: { role: 'model', parts: [{ text }] }, finishReason: googleFinish[finish] ?? undefined, index: 0 },
      ],
      usageMetadata:
        usage === null
          ? undefined
          : {
              promptTokenCount: usage.inputTokens,
              candidatesTokenCount: usage.outputTokens,
              cachedContentTokenCount: usage.cachedTokens,
              totalTokenCount: usage.inputTokens + usage.outputTokens,
            },
    };
  },
  events(answer) {
    const deltas = pieces(answer.text).map((piece) => ({
      data: { candidates: [{ content: { role: 'model', parts: [{ text: piece }] }, index: 0 }] },
    }));
    return answer.finish === 'cut' ? deltas : [...deltas, { data: google.whole({ ...answer, text: '' }) }];
  },
};

export function dialectOf(path: string): Dialect | null {
  if (path.endsWith('/chat/completions')) return openai;
  if (path.endsWith('/completions')) return completions;
  if (path.endsWith('/moderations') || /\/contentsafety\/(text|image):analyze$/.test(path)) return service;
  if (path.endsWith('/messages')) return anthropic;
  if (/:(streamG|g)enerateContent$/.test(path)) return google;
  return null;
}
