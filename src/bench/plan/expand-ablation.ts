import { AgonError } from '../../errors.ts';
import type { Settings } from '../../settings/index.ts';
import type { Ablation, JobBench } from '../job-bench.ts';
import { listJobBenches } from '../jobs/index.ts';

/** The systems that `--ablate NAME` measures. */
export function expandAblation(name: string, bench: JobBench, settings: Settings): Ablation {
  if (Object.hasOwn(bench.ablations, name)) return bench.ablations[name]!(settings);
  const benches = listJobBenches();
  const known = benches.some(({ ablations }) => Object.hasOwn(ablations, name));
  throw new AgonError(
    'bad-flag',
    `--ablate ${name}: ${known ? `it does not apply to ${bench.job}` : 'there is no such ablation'}.`,
    `Ablations are ${benches.map(({ job, ablations }) => `${Object.keys(ablations).join(', ')} for ${job}`).join('; ')}.`,
  );
}
