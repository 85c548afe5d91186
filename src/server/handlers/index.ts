import type { Handlers } from '../handler.ts';
import { caseHandlers } from './cases.ts';
import { houseHandlers } from './house.ts';
import { judgingHandlers } from './judging.ts';
import { keyHandlers } from './keys.ts';
import { openAiHandlers } from './openai.ts';
import { policyHandlers } from './policies.ts';
import { precedentHandlers } from './precedents.ts';
import { runHandlers } from './runs.ts';
import { webhookHandlers } from './webhooks.ts';

/** Who answers what. */
export const handlers: Handlers = {
  ...judgingHandlers, ...caseHandlers, ...openAiHandlers, ...precedentHandlers, ...policyHandlers, ...runHandlers, ...keyHandlers, ...webhookHandlers, ...houseHandlers,
};
