import type { Handlers } from '../handler.ts';
import { annotationHandlers } from './annotations.ts';
import { benchHandlers, overviewHandlers } from './figures.ts';
import { caseHandlers, similarHandlers } from './cases.ts';
import { correctionHandlers, findingHandlers } from './corrections.ts';
import { serverHandlers, sessionHandlers } from './server.ts';
import { judgingHandlers } from './job-cases.ts';
import { keyHandlers, webhookHandlers } from './admin.ts';
import { knownImageHandlers } from './known-images.ts';
import { openAiHandlers } from './openai.ts';
import { policyHandlers } from './policies.ts';
import { precedentHandlers } from './precedents.ts';
import { queueHandlers } from './queue.ts';
import { runHandlers } from './runs.ts';

/** Who answers what. */
export const handlers: Handlers = {
  ...judgingHandlers,
  ...caseHandlers,
  ...correctionHandlers,
  ...findingHandlers,
  ...similarHandlers,
  ...queueHandlers,
  ...knownImageHandlers,
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
  ...serverHandlers,
};
