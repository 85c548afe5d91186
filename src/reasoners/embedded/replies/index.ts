export { openReplyModel, type ReplyModel } from './reply-model.ts';
export { replyHeads, type ReplyHead, type ReplyReading } from './reading.ts';
