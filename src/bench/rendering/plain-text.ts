import { codeSpan } from '../../reports/index.ts';

/**
 * For Markdown: a text from outside that is nothing but words stands as it is; any other is code, which no site reads
 * as markup.
 */
export function plainText(text: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N} ,./:;()%+’→–-]*$/u.test(text) && !/:\/\/|www\.|\p{L}\.\p{L}{2}/u.test(text)
    ? text
    : codeSpan(text);
}
