import type { Reading } from '../runtime/index.ts';

/** What the reply model scores, in the order of its outputs: an unsafe response in its context, and a refusal. */
export const replyHeads = ['reply', 'refusal'] as const;
export type ReplyHead = (typeof replyHeads)[number];

/** What one pass says about a response: its tokens are those of the response alone. */
export type ReplyReading = Reading<ReplyHead>;
