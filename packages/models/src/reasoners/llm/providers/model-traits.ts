/*
 * What is known of models by their names alone. Settings override all of it; a name that is not known is taken for
 * a plain text model that accepts everything.
 */

/** The model's own id without an owner's prefix: `meta-llama/Llama-3.1-8B` gives `llama-3.1-8b`. */
function stripOwner(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).toLowerCase();
}

const visionModels = [
  /^(chat)?gpt-(4o|4\.1|4-turbo|4\.5|[5-9])/,
  /^o[134](?!-mini)|^o4/,
  /^claude/,
  /^gemini/,
  /^(llava|bakllava|moondream|pixtral|minicpm-v|internvl)/,
  /^llama-?(3\.2-vision|4)/,
  /^gemma-?3(?!.*\b(270m|1b)\b)/,
  /^mistral-small-?3\.[1-9]/,
  /(-|\b)vl(\b|-|\d)/,
  /vision/,
];
const textOnlyModels = [/^o[13]-(mini|preview)/, /^gpt-4o-(audio|realtime|transcribe|mini-audio|mini-realtime)/];

export function seesImages(model: string): boolean {
  const id = stripOwner(model);
  return visionModels.some((pattern) => pattern.test(id)) && !textOnlyModels.some((pattern) => pattern.test(id));
}

const hostedReasoningModels = [/^gpt-[5-9](?!.*chat)/, /^o\d/];

/** OpenAI's reasoning models accept no temperature. */
export function rejectsTemperature(model: string): boolean {
  return hostedReasoningModels.some((pattern) => pattern.test(stripOwner(model)));
}

/** Models that think before they answer and count those tokens against the limit of the answer. */
export function thinks(model: string): boolean {
  return (
    rejectsTemperature(model) ||
    /^gemini-(2\.5|[3-9])|^(deepseek-r(\d|easoner)|qwq|qwen-?3|gpt-oss|magistral)/.test(stripOwner(model))
  );
}

const families: [RegExp, string][] = [
  [/^(chat)?gpt|^o\d(\b|-)|^davinci|^codex/, 'gpt'],
  [/claude/, 'claude'],
  [/gemini/, 'gemini'],
  [/gemma/, 'gemma'],
  [/llama|llava|vicuna/, 'llama'],
  [/qwen|qwq/, 'qwen'],
  [/mistral|mixtral|ministral|codestral|pixtral|magistral/, 'mistral'],
  [/deepseek/, 'deepseek'],
  [/^phi/, 'phi'],
  [/command|aya/, 'command'],
  [/grok/, 'grok'],
  [/glm/, 'glm'],
  [/kimi|moonshot/, 'kimi'],
];

/**
 * The family a model comes from: models of one family share blind spots, which matters between judge and judged.
 *
 * @example modelFamily('openai:gpt-4o-mini') // 'gpt'
 */
export function modelFamily(name: string): string {
  const [before, after] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
  // A bare `llama3.1:8b` has a tag after its colon, and no provider before it.
  const id = stripOwner(/^(\d|latest$)/.test(after) && before !== '' ? before : after);
  const family = families.find(([pattern]) => pattern.test(id));
  return family?.[1] ?? (/^[a-z]+/.exec(id)?.[0] || id);
}
