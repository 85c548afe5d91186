import { AgonError } from '../../errors.ts';
import type { Settings } from '../../settings/index.ts';
import type { BenchJob } from '../result.ts';
import { usesOneModel, type SystemEntry } from '../systems/system-entry.ts';
import { embeddedModel } from '../../reasoners/index.ts';

const row = (name: string, system: string): SystemEntry => ({ name, system });

/** Aetheria's Table 3, all eight rows. */
const table3 = [
  row('full', 'full'),
  row('without-retrieval', 'without-retrieval'),
  row('without-supporter', 'without-supporter'),
  row('all-arbiter', 'all-arbiter'),
  row('all-debaters', 'all-debaters'),
  row('without-loose', 'without-loose'),
  row('without-strict', 'without-strict'),
  row('without-debate', 'without-debate'),
];

const seatsOf: Record<BenchJob, readonly string[]> = {
  moderation: ['supporter', 'strict-debater', 'loose-debater', 'arbiter'],
  evaluation: ['auditor', 'detector', 'critic', 'arbiter'],
  documents: ['affirmative', 'dissenting', 'synthesizer'],
};
const whole: Record<BenchJob, string> = { moderation: 'full', evaluation: 'debate', documents: 'full' };

export const ablationNames = ['table3', 'table4', 'rounds', 'radar', 'seats'] as const;

/**
 * The systems of `--ablate`: Aetheria's `table3`; `table4` (or `rounds`), the debate over its rounds; `radar`, without
 * roles and without debate, and the control; `seats`, each seat in turn left to the embedded model.
 */
export function expandAblation(
  name: string,
  job: BenchJob,
  settings: Settings,
): { systems: readonly SystemEntry[]; rounds: readonly number[]; notes: string[] } {
  const unknown = (why: string) =>
    new AgonError(
      'bad-flag',
      `--ablate ${name}: ${why}`,
      'Ablations are table3, table4 or rounds, and seats for moderation; radar, rounds and seats for evaluation; ' +
        'seats for documents.',
    );
  const plain = (systems: readonly SystemEntry[], notes: string[] = []) => ({ systems, rounds: [], notes });
  if (name === 'table3' && job === 'moderation') {
    if (!usesOneModel(job, settings)) return plain(table3);
    return plain(
      table3.filter(({ system }) => !system.startsWith('all-')),
      ['The rows of Table 3 about model composition do not apply: one model sits in every seat.'],
    );
  }
  if ((name === 'table4' || name === 'rounds') && job === 'moderation')
    return plain([1, 2, 3].map((rounds) => row(`rounds-${rounds}`, `rounds-${rounds}`)));
  if (name === 'rounds' && job === 'evaluation')
    return { systems: [row('debate', 'debate')], rounds: [2, 3, 4, 5], notes: [] };
  if ((name === 'radar' || name === 'table3') && job === 'evaluation')
    return plain(['debate', 'role-free', 'vote', 'control'].map((system) => row(system, system)));
  if (name === 'seats') {
    const swapped = seatsOf[job].map((seat) => row(`${seat} embedded`, `seat:${seat}=${embeddedModel}`));
    return plain([row(whole[job], whole[job]), ...swapped]);
  }
  throw unknown(
    (ablationNames as readonly string[]).includes(name) ? `it does not apply to ${job}.` : 'there is no such ablation.',
  );
}
