import { useMutation } from '@tanstack/react-query';
import { invalidate } from '../api/query-options.ts';
import { showProblem, showToast } from './toasts.tsx';

/** What is to be done, and what follows from it. */
export interface Action<Result, Given = void> {
  act: (given: Given) => Promise<Result>;
  /** What is asked for anew then, what is said of it, and what else there is to do. */
  changes?: string;
  says?: (result: Result, given: Given) => string | null;
  onDone?: (result: Result) => unknown;
}

/** Does something, and tells what came of it in a few words; `onFailed` has a place of its own for what went wrong. */
export function useAction<Result, Given = void>(
  { act, changes, says, onDone }: Action<Result, Given>,
  onFailed: (error: unknown) => void = showProblem,
) {
  return useMutation({
    mutationFn: act,
    onSuccess: async (result, given) => {
      const words = says?.(result, given) ?? null;
      if (words !== null) showToast(words);
      if (changes !== undefined) await invalidate(changes);
      await onDone?.(result);
    },
    onError: onFailed,
  });
}
