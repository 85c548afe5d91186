import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  countLabels,
  describeClaimDegradation,
  describeOutlook,
  listTouchedFindings,
  nameMethod,
} from '@agonhq/documents/view';
import { listOwnRisks } from '@agonhq/documents/verdicts/decide-outlook';
import { formatPlural, shortenQuote } from '@agonhq/engine/view';
import { formatCost, formatDuration } from '../../../charts/format-figures.ts';
import { CopyButton } from '../../../components/button.tsx';
import { ContextView } from '../../../components/context-view.tsx';
import { Facts } from '../../../components/table.tsx';
import { findLabelLook, LabelBadge } from '../../../components/badge.tsx';
import { Paragraph, PlainText } from '../../../components/text.tsx';
import { classes, panels, texts } from '../../../components/tones.ts';
import { useReport } from '../../../report/report-context.ts';
import type { Analysis } from '../analysis-types.ts';

/** What the verdicts come to: the outlook, the brief, what was found, risks and open questions. */
export function Brief({ analysis, children }: { analysis: Analysis; children?: ReactNode }) {
  const { outlook, degraded, observations } = analysis;
  const isReport = useReport() !== null;
  return (
    <div className="grid gap-4">
      <Outlook analysis={analysis} headingLevel={isReport ? 'h1' : 'h2'} />
      <List
        title="Read with care"
        items={degraded.map(({ kind, at, detail }) => `${describeClaimDegradation(kind)} (${at}). ${detail}`)}
      />
      <List
        title="Instructions to the judges found in the dossier (not followed)"
        items={observations.map(({ of, text }) => `“${shortenQuote(text)}” ${of}`)}
      />
      {children}
      <List title="Risks" items={isReport ? listOwnRisks(analysis) : outlook.risks} />
      <List title="Open questions" items={outlook.questions} />
    </div>
  );
}

function Outlook({ analysis, headingLevel: Heading }: { analysis: Analysis; headingLevel: 'h1' | 'h2' }) {
  const { outlook, claims, documents } = analysis;
  const { tone, title, icon: Icon } = findLabelLook(outlook.label);
  const findings = listTouchedFindings(analysis);
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict').length;
  const holding = findings.length - conflicts;
  return (
    <section aria-label="Outlook" className="overflow-hidden rounded-xl border bg-surface">
      <div
        className={classes(
          'flex items-center gap-3 border-b px-4 py-3 sm:px-5',
          panels[tone],
          tone !== 'quiet' && texts[tone],
        )}
      >
        <Icon aria-hidden className="size-9 flex-none" />
        <div className="min-w-0 flex-1">
          <p className="text-sm">
            Outlook for{' '}
            {documents.length === 1 ? (
              <PlainText text={documents[0]!.name} />
            ) : (
              formatPlural(documents.length, 'document')
            )}
          </p>
          <Heading className="font-serif text-2xl leading-tight">
            <PlainText text={title} />
          </Heading>
          <p className="text-sm">{describeOutlook(outlook.label).meaning}</p>
        </div>
      </div>
      <div className="grid gap-4 p-4 sm:p-5">
        <Paragraph text={outlook.brief || 'No brief was written.'} className="text-lg leading-relaxed" />
        <Facts
          className="flex flex-wrap gap-x-8 gap-y-3"
          facts={[
            [
              'Claims',
              <ul key="claims" className="flex flex-wrap gap-x-3 gap-y-1">
                {countLabels(claims).map(([label, count]) => (
                  <li key={label} className="inline-flex items-center gap-1.5">
                    {count} <LabelBadge label={label} />
                  </li>
                ))}
                {claims.length === 0 && <li>none</li>}
              </ul>,
            ],
            ['Number checks', `${formatPlural(conflicts, 'conflict')}, ${holding} ${holding === 1 ? 'holds' : 'hold'}`],
            outlook.rule.why ? ['Decided by', <PlainText key="rule" text={outlook.rule.why} />] : null,
          ]}
        />
      </div>
    </section>
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
            <PlainText text={item} />
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
