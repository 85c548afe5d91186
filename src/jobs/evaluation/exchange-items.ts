import { hashOf } from '../../hash.ts';
import { readSafetyLabel } from '../../items/index.ts';
import type { JobItems } from '../job.ts';
import { namedBy } from '../stored-items.ts';
import type { EvaluateOptions } from './evaluate.ts';
import { readExchange, type Exchange } from './exchange.ts';
import { exchangeExample, exchangeIn, holdsLines, valuesIn } from './imports/exchanges-in.ts';

/** How exchanges are written in files of items: our own lines, or what promptfoo and Inspect write. */
export const exchangeItems: JobItems<Exchange, EvaluateOptions> = {
  fields: ['id', 'label', 'prompt', 'response', 'messages', 'model'],
  parts: [['prompt', 'response'], ['messages']],
  lists: ['messages'],
  example: exchangeExample,
  readLabel: readSafetyLabel,

  async readItem(value) {
    const exchange = exchangeIn(value);
    const { id, ...judged } = exchange;
    return { ...namedBy(id), input: exchange, hash: hashOf(judged) };
  },

  /** An item that names its model knows better than the run. */
  async openItem(stored, _files, { evaluatedModel }) {
    const model = evaluatedModel === null ? {} : { model: evaluatedModel };
    return { input: { ...model, ...readExchange(stored) }, options: {} };
  },

  importFile: async (file) => ((await holdsLines(file)) ? null : valuesIn(file)),
};
