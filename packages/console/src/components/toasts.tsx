import { X } from 'lucide-react';
import { createStore } from '../browser-storage.ts';
import { describeProblem } from '../api/problem.ts';
import { classes } from './tones.ts';

/* Short words about what has just happened. They are read out, and go by themselves. */

interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

const toasts = createStore<readonly Toast[]>([]);
let last = 0;
const shownMs = 6_000;

const dismiss = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = (last += 1);
  toasts.set([...toasts.get().slice(-3), { id, text, tone }]);
  setTimeout(() => dismiss(id), tone === 'bad' ? 2 * shownMs : shownMs);
}

/** For `onError` of a mutation that has no place of its own for it. */
export function showProblem(error: unknown): void {
  const { message, hint } = describeProblem(error);
  showToast(`${message} ${hint}`, 'bad');
}

export function Toasts() {
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-50 grid justify-items-center gap-2 px-4"
    >
      {toasts.useState().map(({ id, text, tone }) => (
        <div
          key={id}
          className={classes(
            'pointer-events-auto flex max-w-lg items-start gap-3 rounded-lg border px-4 py-2.5 shadow-lg',
            tone === 'bad' ? 'border-risk bg-risk-ground text-risk' : 'border-line bg-ink text-paper',
          )}
        >
          <p className="words">{text}</p>
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <X aria-hidden className="mt-1 size-4" />
          </button>
        </div>
      ))}
    </div>
  );
}
