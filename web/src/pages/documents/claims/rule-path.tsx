import { rules } from '../../../../../src/jobs/documents/verdicts/claim-rules.ts';

/** The rules in their order, down to the one that decided. */
export function RulePath({ decided }: { decided: string }) {
  const last = rules.findIndex(({ id }) => id === decided);
  if (last < 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit text-link">The way through the rules</summary>
      <ol className="mt-2 grid gap-1">
        {rules.slice(0, last + 1).map(({ id, when, label }, index) => (
          <li key={id} className={index === last ? 'font-medium' : 'text-quiet'}>
            {index + 1}. {when[0]!.toUpperCase() + when.slice(1)}:{' '}
            {index === last ? `yes, so it is ${label.replace('-', ' ')}.` : 'no.'}
          </li>
        ))}
      </ol>
    </details>
  );
}
