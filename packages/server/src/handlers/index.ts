import type { Handlers } from '../handler.ts';
import { accountabilityHandlers } from './accountability.ts';
import { annotationHandlers } from './annotations.ts';
import { auditHandlers } from './audit.ts';
import { benchHandlers } from './benches.ts';
import { bundleHandlers } from './bundles.ts';
import { overviewHandlers } from './overview.ts';
import { caseHandlers, similarHandlers } from './cases.ts';
import { correctionHandlers, findingHandlers } from './corrections.ts';
import { serverHandlers, sessionHandlers } from './server.ts';
import { judgingHandlers } from './judging.ts';
import { trialHandlers } from './case-trials.ts';
import { keyHandlers, webhookHandlers } from './admin.ts';
import { knownImageHandlers } from './known-images.ts';
import { openAiHandlers } from './openai.ts';
import { policyHandlers } from './policies.ts';
import { precedentHandlers } from './precedents.ts';
import { queueHandlers } from './queue.ts';
import { assigningHandlers, queuesHandlers } from './queues.ts';
import { runHandlers } from './runs.ts';
import { streamHandlers } from './streams.ts';
import { shadowHandlers, watchingHandlers } from './watching.ts';
import { settingsHandlers } from './settings.ts';
import { teamHandlers } from './teams.ts';

/** Who answers what. */
export const handlers: Handlers = {
  ...judgingHandlers,
  ...caseHandlers,
  ...trialHandlers,
  ...bundleHandlers,
  ...correctionHandlers,
  ...findingHandlers,
  ...similarHandlers,
  ...queueHandlers,
  ...assigningHandlers,
  ...queuesHandlers,
  ...knownImageHandlers,
  ...annotationHandlers,
  ...benchHandlers,
  ...overviewHandlers,
  ...watchingHandlers,
  ...shadowHandlers,
  ...sessionHandlers,
  ...openAiHandlers,
  ...precedentHandlers,
  ...policyHandlers,
  ...runHandlers,
  ...streamHandlers,
  ...keyHandlers,
  ...teamHandlers,
  ...webhookHandlers,
  ...accountabilityHandlers,
  ...auditHandlers,
  ...settingsHandlers,
  ...serverHandlers,
};
