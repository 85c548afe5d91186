import { documentsBlock } from '@agonhq/documents/block';
import { evaluationBlock } from '@agonhq/judges/evaluation/block';
import { moderationBlock } from '@agonhq/judges/moderation/block';

/** What settings say of the jobs that Agon comes with: for whoever loads one of them, and reads settings of all. */
export const ownBlocks = [moderationBlock, evaluationBlock, documentsBlock];
