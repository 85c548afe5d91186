import type { Handlers } from '../handler.ts';
import { annotationHandlers } from './annotations.ts';
import { benchHandlers } from './figures.ts';
import { caseHandlers } from './cases.ts';
import { houseHandlers } from './server.ts';
import { judgingHandlers } from './judging.ts';
import { keyHandlers } from './keys.ts';
import { openAiHandlers } from './openai.ts';
import { overviewHandlers } from './overview.ts';
import { policyHandlers } from './policies.ts';
import { precedentHandlers } from './precedents.ts';
import { queueHandlers } from './queue.ts';
import { runHandlers } from './runs.ts';
import { sessionHandlers } from './session.ts';
import { similarHandlers } from './similar.ts';
import { webhookHandlers } from './admin.ts';

/** Who answers what. */
export const handlers: Handlers = {
  ...judgingHandlers,
  ...caseHandlers,
  ...similarHandlers,
  ...queueHandlers,
  ...annotationHandlers,
  ...benchHandlers,
  ...overviewHandlers,
  ...sessionHandlers,
  ...openAiHandlers,
  ...precedentHandlers,
  ...policyHandlers,
  ...runHandlers,
  ...keyHandlers,
  ...webhookHandlers,
  ...houseHandlers,
};
