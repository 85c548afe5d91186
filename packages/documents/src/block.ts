import type { JobBlock } from '@agonhq/judges/job';
import { documentsId } from './analysis.ts';
import { documentsSettings } from './settings.ts';

/** What settings say of the analysis of documents. */
export const documentsBlock: JobBlock = {
  id: documentsId,
  settings: documentsSettings,
  seats: {
    'factor-agent': { fallsBackTo: ['debaters', 'default'], help: 'model that finds the claims' },
    affirmative: { fallsBackTo: ['debaters', 'default'], help: 'model that argues for a claim' },
    dissenting: { fallsBackTo: ['debaters', 'default'], help: 'model that argues against a claim' },
    synthesizer: {
      fallsBackTo: ['arbiter', 'default'],
      help: 'model that judges the arguments, ideally the strongest',
    },
  },
};
