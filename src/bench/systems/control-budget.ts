import { AgonError } from '../../errors.ts';
import type { Settings } from '../../settings/index.ts';

/** The control is matched to the debate by its tokens, and what a cache gives costs none: neither could be counted. */
export function assertCountable({ cache }: Settings): void {
  if (cache)
    throw new AgonError(
      'bad-flag',
      '--evaluators control counts tokens, and answers from --cache cost none.',
      'Leave the cache out (AGON_CACHE=false); with --out a run that was stopped goes on.',
    );
}
