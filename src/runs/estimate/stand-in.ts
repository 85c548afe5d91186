import { memoryJournal, noUsage, type Reasoner } from '../../debate/index.ts';
import type { Ledger } from '../../ledger/index.ts';

/** As long as descriptions of images are, and about nothing that would be judged. */
const description =
  'A colour photograph taken outdoors in daylight. In the foreground a person in a dark jacket stands beside a ' +
  'wooden table and looks at a sheet of paper. ' +
  'On the table lie a folded map, a cup, a pair of glasses and a small box with a printed label. Behind the table ' +
  'there are two trees, a low brick wall and a ' +
  'parked bicycle; the sky is overcast. A sign on the wall carries a few printed words in capital letters and an ' +
  'arrow that points to the left. The style is that ' +
  'of an ordinary snapshot, slightly out of focus at the edges, with a caption along the bottom in white letters ' +
  'on a dark ground. No symbols, flags, gestures, injuries or nudity are visible.';

/**
 * The embedded reasoner in every seat. It cannot see: where an image is to be described, a description of the usual
 * length stands in.
 */
export function standInFor(embedded: Reasoner): Reasoner {
  return {
    ...embedded,
    answer: async (role, question, options) =>
      role.id === 'preprocessor'
        ? {
            outcome: 'answered',
            value: role.schema.parse({ description }),
            usage: { ...noUsage, calls: 1 },
            latencyMs: 0,
            model: embedded.id,
            raw: '',
          }
        : embedded.answer(role, question, options),
  };
}

/** A ledger whose precedents are drawn on, and which keeps nothing of what is tried out. */
export function offTheRecord(ledger: Ledger): Ledger {
  const nothing = () => Promise.resolve();
  return { ...ledger, journal: memoryJournal(), cases: { ...ledger.cases, openCase: nothing, closeCase: nothing } };
}
