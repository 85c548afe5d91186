import { AgonError } from '../../errors.ts';

/** `openai:gpt-4o-mini`, taken apart. */
export interface ModelName {
  provider: string;
  model: string;
}

/** Splits at the first colon only: `ollama:llama3.2:3b` is the model `llama3.2:3b` of Ollama. */
export function parseModelName(name: string): ModelName {
  const colon = name.indexOf(':');
  const provider = name.slice(0, colon);
  const model = name.slice(colon + 1);
  if (colon < 1 || model === '' || /\s/.test(name)) {
    throw new AgonError(
      'bad-model-name',
      `"${name}" is not the name of a model.`,
      'Name models as provider:model, for example openai:gpt-4o-mini or ollama:llama3.2.',
    );
  }
  return { provider, model };
}
