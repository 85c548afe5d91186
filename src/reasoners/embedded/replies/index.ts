export { openReplyModel } from './reply-model.ts';
export { replyHeads, type ReplyReading } from './reading.ts';
