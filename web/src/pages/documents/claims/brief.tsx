import type { ReactNode } from 'react';
import { degradationWords, outlookWords } from '../../../../../src/reports/documents/words.ts';
import { LabelBadge } from '../../../components/label-badge.tsx';
import type { Analysis } from '../trace/types.ts';

/** What the verdicts come to: the outlook, the brief, risks and open questions. */
export function Brief({ analysis }: { analysis: Analysis }) {
  const { outlook, degraded, observations } = analysis;
  return (
    <div className="grid gap-4">
      <div className="grid gap-2 rounded-xl border bg-surface p-4">
        <p className="flex flex-wrap items-center gap-3">
          <span className="text-sm text-quiet">Outlook</span>
          <LabelBadge label={outlook.label} />
        </p>
        <p className="text-quiet">
          {outlookWords(outlook.label).meaning} {outlook.rule.why}
        </p>
        <p className="words text-lg leading-relaxed">{outlook.brief || 'No brief was written.'}</p>
      </div>
      <List title="Risks" items={outlook.risks} />
      <List title="Open questions" items={outlook.questions} />
      {degraded.length > 0 && (
        <List
          title="Read with care"
          items={degraded.map(({ kind, at, detail }) => `${degradationWords(kind)} (${at}). ${detail}`)}
        />
      )}
      {observations.length > 0 && (
        <List
          title="The dossier speaks to its judges: it was judged like the rest, and not obeyed"
          items={observations.map(({ text }) => text)}
        />
      )}
    </div>
  );
}

export function List({ title, items, children }: { title: string; items: readonly string[]; children?: ReactNode }) {
  if (items.length === 0) return null;
  return (
    <section className="grid gap-2 rounded-xl border bg-surface p-4">
      <h2 className="font-sans font-medium tracking-normal">{title}</h2>
      <ul className="grid list-disc gap-1 pl-5">
        {items.map((item, index) => (
          <li key={index} className="words">
            {item}
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
