import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { describeClaimDegradation, nameMethod, describeOutlook } from '@agonhq/documents/view';
import { formatCost, formatDuration } from '../../../charts/format-figures.ts';
import { CopyButton } from '../../../components/button.tsx';
import { ContextView } from '../../../components/context-view.tsx';
import { Facts } from '../../../components/table.tsx';
import { LabelBadge } from '../../../components/badge.tsx';
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
          {describeOutlook(outlook.label).meaning} {outlook.rule.why}
        </p>
        <p className="words text-lg leading-relaxed">{outlook.brief || 'No brief was written.'}</p>
      </div>
      <List title="Risks" items={outlook.risks} />
      <List title="Open questions" items={outlook.questions} />
      {degraded.length > 0 && (
        <List
          title="Read with care"
          items={degraded.map(({ kind, at, detail }) => `${describeClaimDegradation(kind)} (${at}). ${detail}`)}
        />
      )}
      {observations.length > 0 && (
        <List
          title="Instructions to the judges found in the dossier (not followed)"
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

const mostShown = 50;

/** What was read, what was not debated, what it cost, and what made it. */
export function About({ analysis }: { analysis: Analysis }) {
  const { documents, coverage, usage, provenance, seal, id } = analysis;
  return (
    <div className="grid gap-4">
      {documents.map(({ name, kind, blocks, pages, notes }) => (
        <section key={name} className="grid gap-1 rounded-xl border bg-surface p-4">
          <h2 className="words font-sans font-medium tracking-normal">{name}</h2>
          <p className="text-sm text-quiet">
            {kind}
            {pages && pages.length > 0 ? ` · ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}` : ''} ·{' '}
            {blocks.length} blocks
          </p>
          {notes.length > 0 && (
            <ul className="grid list-disc gap-1 pl-5 text-sm">
              {notes.map((note, index) => (
                <li key={index} className="words">
                  {note}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      <ContextView context={analysis.context ?? null} />
      <List title="Assertions that were not debated" items={coverage.slice(0, mostShown).map(({ quote }) => quote)}>
        {coverage.length > mostShown && (
          <p className="text-sm text-quiet">{coverage.length - mostShown} more are in the exports.</p>
        )}
      </List>
      <section className="grid gap-3 rounded-xl border bg-surface p-4">
        <Facts
          facts={[
            ['Judged by', nameMethod(provenance.plan.method)],
            ['Models', [...new Set(Object.values(provenance.models))].join(', ')],
            ['Calls', usage.calls],
            ['Tokens', (usage.inputTokens + usage.outputTokens).toLocaleString()],
            ['Cost', usage.costUsd === null ? 'price unknown' : formatCost(usage.costUsd)],
            ['Time', formatDuration(usage.latencyMs)],
            ['Agon', provenance.agon],
            [
              'Configuration',
              <code key="configuration" className="font-mono text-xs">
                {provenance.configuration}
              </code>,
            ],
            [
              'Seal',
              <code key="seal" className="font-mono text-xs">
                {seal}
              </code>,
            ],
          ]}
        />
        <p className="flex flex-wrap items-center gap-3">
          <CopyButton text={id}>Copy case ID</CopyButton>
          <Link to="/cases/$id" params={{ id }} className="text-link underline">
            Open the case record
          </Link>
        </p>
      </section>
    </div>
  );
}
