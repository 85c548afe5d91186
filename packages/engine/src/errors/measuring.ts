import type { CatalogueEntry } from './index.ts';

/** Benches: their files, data, systems, screenings and votes. */
export const measuringErrors = {
  'unknown-bench': { status: 404, meaning: 'There is no bench with this id.' },
  'unknown-set': { status: 404, meaning: 'The bench has no set of this number.' },
  'unknown-system': { status: 422, meaning: 'The set has no system of this name.' },
  'ambiguous-bench': { status: 422, meaning: 'Several benches begin with this id.' },
  'unfinished-bench': { status: 422, meaning: 'The bench has no figures yet.' },

  'bad-bench-file': { meaning: 'The bench file cannot be read.' },
  'no-datasets': { meaning: '`AGON_DATASETS` is not set.' },
  'no-data': { meaning: 'None of the data of the bench was found.' },
  'empty-data': { meaning: 'The file holds no items.' },
  'wrong-format': { meaning: 'The data is not laid out as it was read.' },
  'nothing-judged': { meaning: 'No item of the data could be judged.' },
  'no-shots': { meaning: 'There are not enough labelled examples.' },
  'no-description': { meaning: 'An image has no description, and the system reads only text.' },
  'system-does-not-apply': { meaning: 'The system does not judge this kind of data.' },
  'system-unavailable': { meaning: 'The system under measurement did not answer.' },
  'no-budget': { meaning: 'The debate spent no tokens that its control could spend.' },
  'no-prediction': { meaning: 'The predictions lack this item.' },
  'broken-predictions': { meaning: 'The file of predictions cannot be read.' },
  'predictions-are-labels': { meaning: 'The predictions are the data itself.' },
  'cannot-calibrate': { meaning: 'The data does not allow a calibration.' },
  'cannot-fit': { meaning: 'The data does not allow a reference to be fitted.' },

  'data-changed': { meaning: 'The data changed while it was screened.' },
  'not-flagged': { meaning: 'The line is not an item to vote on.' },
  'bad-votes': { meaning: 'Votes cannot be counted.' },
  'broken-vote': { meaning: 'A vote cannot be read.' },
  'empty-votes': { meaning: 'There are no votes.' },
} satisfies Record<string, CatalogueEntry>;
