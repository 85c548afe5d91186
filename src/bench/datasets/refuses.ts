import { matchRefusal } from '../../jobs/evaluation/index.ts';

/**
 * Whether a text is a model's refusal by how it begins: published sets hold some in the place of content, and they
 * are easy.
 */
export function looksLikeRefusal(text: string | undefined): boolean {
  return text !== undefined && matchRefusal(text, 'prefix-match') !== null;
}
