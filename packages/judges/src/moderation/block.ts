import type { JobBlock } from '../job/jobs.ts';
import { calibratedWith } from './plan.ts';
import { moderationSettings } from './settings.ts';

/** What settings say of moderation. */
export const moderationBlock: JobBlock = {
  id: 'moderation',
  settings: moderationSettings,
  calibratedWith,
  seats: {
    preprocessor: { fallsBackTo: ['default'], help: 'model that describes images' },
    supporter: { fallsBackTo: ['debaters', 'default'] },
    'strict-debater': { fallsBackTo: ['debaters', 'default'] },
    'loose-debater': { fallsBackTo: ['debaters', 'default'] },
    arbiter: { fallsBackTo: ['default'], help: 'model of the arbiter' },
    judge: { fallsBackTo: ['arbiter', 'default'], help: 'model of a single judge (default: the model of the arbiter)' },
  },
};
