import { useMemo } from 'react';
import { listFindings } from '@agonhq/documents/findings/list-findings';
import {
  citeChecks,
  formatBlockId,
  isLongDocument,
  numberFindings,
  numberPassages,
  traceClaim,
  type CitedCheck,
  type NumberedFinding,
} from '@agonhq/documents/trace';
import { nameMethod } from '@agonhq/documents/view';
import { formatPlural, shortenQuote, type CitedPassage } from '@agonhq/engine/view';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import { findLabelLook } from '../../components/badge.tsx';
import { ContextView } from '../../components/context-view.tsx';
import { Card, Section } from '../../components/page.tsx';
import { PlainText } from '../../components/text.tsx';
import type { ReportProps, ReportView } from '../../report/debate-report.tsx';
import { PassageList } from '../../report/passages.tsx';
import { ReportContext } from '../../report/report-context.ts';
import { ProvenanceFacts, RecordTable, UsageView } from '../../trial/small-print.tsx';
import type { Analysis, Going } from './analysis-types.ts';
import { Brief } from './claims/brief.tsx';
import { NumberCheck } from './claims/number-check.tsx';
import { AffectedClaims } from './claims/number-checks.tsx';
import { ReportedClaim } from './claims/reported-claim.tsx';
import { EditWords } from './findings/edit-words.tsx';
import { FindingsTable } from './findings/findings-table.tsx';
import { DocumentText } from './viewer/document-text.tsx';
import { PassageLegend } from './viewer/passage-marks.tsx';

export const documentsReport: ReportView = {
  name: 'documents report',
  describe: (answer) => findLabelLook((answer as unknown as Analysis).outlook.label).title,
  Body: DocumentsReport,
};

/** Links alone lead anywhere. */
const going: Going = { active: null, onGo: () => undefined };

/* On a desk the claims stand beside the documents, and a jump in one leaves the other where it is. */
const workspace = 'grid gap-8 lg:not-print:mx-[calc(50%-min(48vw,48rem))] lg:not-print:grid-cols-2';
const pane =
  'grid content-start gap-3 lg:not-print:sticky lg:not-print:top-0 lg:not-print:h-dvh lg:not-print:overflow-y-auto ' +
  'lg:not-print:scroll-pt-20 lg:not-print:py-4 lg:not-print:pr-2';

/** An analysis: the brief, the claims beside the documents that they cite, the numbers, and how to check it all. */
function DocumentsReport({ answer, extras }: ReportProps) {
  const analysis = answer as unknown as Analysis;
  const { documents, claims, coverage, provenance, transcript } = analysis;
  const { corrections = [], edits = [] } = extras;
  const { traces, findings, citations } = useMemo(() => citeAnalysis(analysis), [analysis]);
  const isLong = isLongDocument(documents);
  const referred = new Set(coverage.map(({ block }) => block));
  return (
    <ReportContext value={{ citations, anchors: new Map(), extras }}>
      <PassageOutlines passages={citations.passages} />
      <Brief analysis={analysis}>
        <FindingsTable analysis={analysis} findings={listFindings(analysis, { corrections, edits })} />
      </Brief>
      <div className={workspace}>
        <section tabIndex={0} aria-label="Claims and verdicts" className={pane}>
          <h2 className="text-xl">Claims and verdicts</h2>
          <p className="text-sm text-quiet">
            Judged by {nameMethod(provenance.plan.method)}. A number leads to the cited words in the documents, and from
            there back.
          </p>
          {traces.map((trace) => (
            <ReportedClaim
              key={trace.number}
              trace={trace}
              findings={findings}
              {...{ corrections, edits }}
              {...going}
            />
          ))}
          {traces.length === 0 && <p className="text-quiet">No claim was found.</p>}
        </section>
        <section tabIndex={0} aria-label="The documents" className={pane}>
          <h2 className="text-xl">The {documents.length === 1 ? 'document' : 'documents'}</h2>
          <PassageLegend />
          {isLong && (
            <p className="text-sm text-quiet">This dossier is long: only what is cited is shown, with its context.</p>
          )}
          {documents.map((document, index) => (
            <DocumentText
              key={document.name}
              document={document}
              anchor={`document-${index + 1}`}
              passages={citations.passages.filter(({ source }) => source === document.name)}
              referred={referred}
              isLong={isLong}
            />
          ))}
          {citations.passages.length > 0 && (
            <Card>
              <PassageList names={{}} />
            </Card>
          )}
        </section>
      </div>
      <ContextView context={analysis.context ?? null} />
      <Section
        title="Numbers"
        lead={
          'Values from texts and tables, recomputed by code: statements against tables, totals against their parts, ' +
          'growth against values.'
        }
      >
        <Checks checks={citeChecks(analysis, findings).checks} edits={edits} />
      </Section>
      <Section title="Not debated" lead="Blocks that assert much but yielded no claim.">
        <NotDebated analysis={analysis} />
      </Section>
      <UsageView usage={analysis.usage} />
      <Section
        title="Provenance"
        lead={
          <>
            To check this trace, save it as JSON and run <code className="font-mono">agon verify trace.json</code>. It
            rechecks every quotation, the arithmetic, the rules and the hashes, without a model or a network.
          </>
        }
      >
        <Card className="grid gap-5">
          <ProvenanceFacts
            answer={answer}
            policy={`${provenance.policy.name} ${provenance.policy.version}`}
            more={[['Judged by', nameMethod(provenance.plan.method)]]}
          />
        </Card>
        <details>
          <summary className="w-fit text-link">The record, entry by entry</summary>
          <RecordTable transcript={[...transcript, ...claims.flatMap((claim) => claim.transcript)]} />
        </details>
      </Section>
    </ReportContext>
  );
}

function citeAnalysis(analysis: Analysis) {
  const traces = analysis.claims.map((_, index) => traceClaim(analysis, index));
  const findings = numberFindings(analysis);
  return { traces, findings, citations: numberPassages(analysis, traces, findings) };
}

/** A passage that others overlap is drawn in pieces: a jump to its number outlines all of them. */
function PassageOutlines({ passages }: { passages: readonly CitedPassage[] }) {
  const rules = passages.map(
    ({ number }) => `:root:has(#mark-${number}:target) [data-marks~=passage-${number}]{outline:2px solid var(--link)}`,
  );
  return <style>{rules.join('\n')}</style>;
}

const mostHolding = 200;

interface ChecksProps {
  checks: readonly (NumberedFinding & { check: CitedCheck })[];
  edits: readonly GivenEdit[];
}

/** The conflicts in full, then what holds. */
function Checks({ checks, edits }: ChecksProps) {
  const conflicts = checks.filter(({ finding }) => finding.outcome === 'conflict');
  const holding = checks.slice(conflicts.length);
  const shown = holding.filter(({ claims }, index) => index < mostHolding || claims.length > 0);
  const list = (some: ChecksProps['checks']) => (
    <ol className="grid items-start gap-3 lg:grid-cols-2">
      {some.map(({ number, anchor, check, claims }) => {
        const edit = edits.find(({ finding }) => finding === anchor);
        return (
          <li key={anchor} id={anchor}>
            <NumberCheck check={check} number={number} {...going}>
              <AffectedClaims claims={claims} />
              {edit && <EditWords edit={edit} />}
            </NumberCheck>
          </li>
        );
      })}
    </ol>
  );
  return (
    <>
      {conflicts.length > 0 ? list(conflicts) : <p>No conflict was found.</p>}
      {holding.length > 0 && (
        <details>
          <summary className="mb-3 w-fit text-link">
            {formatPlural(holding.length, 'check')} that {holding.length === 1 ? 'holds' : 'hold'}
          </summary>
          {list(shown)}
          {shown.length < holding.length && (
            <p className="text-sm text-quiet">
              {formatPlural(holding.length - shown.length, 'more check')} that hold are in the JSON trace.
            </p>
          )}
        </details>
      )}
    </>
  );
}

function NotDebated({ analysis: { coverage, documents } }: { analysis: Analysis }) {
  if (coverage.length === 0) return <p>Every such block yielded a claim.</p>;
  const anchors = new Map(
    documents.flatMap((document, at) =>
      document.blocks.map((block, index): [string, string] => [
        formatBlockId(document, block),
        `document-${at + 1}-block-${index + 1}`,
      ]),
    ),
  );
  return (
    <ul className="grid gap-2">
      {coverage.map(({ block, quote, why }, index) => (
        <li key={index} className="words border-l-2 pl-3">
          “<PlainText text={shortenQuote(quote)} />”
          <span className="block text-sm text-quiet">
            {anchors.has(block) ? (
              <a href={`#${anchors.get(block)}`} className="text-link underline">
                <PlainText text={block} />
              </a>
            ) : (
              <PlainText text={block} />
            )}
            : <PlainText text={why} />
          </span>
        </li>
      ))}
    </ul>
  );
}
