import type { JobBlock } from '../job/jobs.ts';
import { calibratedWith } from './plan.ts';
import { evaluationSettings } from './settings.ts';

/** What settings say of evaluation. */
export const evaluationBlock: JobBlock = {
  id: 'evaluation',
  settings: evaluationSettings,
  calibratedWith,
  seats: {
    auditor: {
      fallsBackTo: ['debaters', 'default'],
      several: true,
      help: 'models that look for explicit risks, one seat each, at most three',
    },
    detector: {
      fallsBackTo: ['debaters', 'default'],
      several: true,
      help: 'models that look for implicit risks, one seat each, at most three',
    },
    critic: {
      fallsBackTo: ['arbiter', 'default'],
      help: 'model of the critic, ideally the strongest (default: that of the arbiter)',
    },
    arbiter: { fallsBackTo: ['default'], help: 'model of the arbiter' },
    judge: { fallsBackTo: ['arbiter', 'default'], help: 'model of a single judge (default: the model of the arbiter)' },
  },
};
