import { TriangleAlert } from 'lucide-react';
import { describeProblem } from '../api/problem.ts';
import { Button } from './button.tsx';

/** What went wrong and what to do, with a way to try again. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const { message, hint, code } = describeProblem(error);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-3 rounded-xl border border-caution bg-caution-ground p-4 text-caution"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-5 flex-none" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="words font-medium">{message}</p>
        <p className="words text-sm">
          {hint} <code className="font-mono text-xs">{code}</code>
        </p>
      </div>
      {retry && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
