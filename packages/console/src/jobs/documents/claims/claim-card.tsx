import { ChevronDown, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { ClaimTrace } from '@agonhq/documents/trace';
import { describeClaimDegradation, describeClaimLabel, describeRule, findPersonVerdict } from '@agonhq/documents/view';
import { claimRules } from '@agonhq/documents/verdicts/claim-rules';
import { formatWholePercent } from '../../../components/bars.tsx';
import { Badge, LabelBadge, findLabelLook } from '../../../components/badge.tsx';
import { Paragraph, PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';
import { useReport } from '../../../report/report-context.ts';
import type { ClaimAnswer, Going } from '../analysis-types.ts';
import { CitationButton, CitationList } from './citation-button.tsx';
import { countPoints, Debate } from './debate.tsx';
import { NumberCheck } from './number-check.tsx';

interface ClaimHeadProps {
  number: number;
  answer: ClaimAnswer;
  corrections: Parameters<typeof findPersonVerdict>[1];
  /** Of the claim’s own words. */
  headingLevel?: 'h3' | 'span';
  children?: ReactNode;
}

/** A claim with its verdict; whose word it is stands with it: no verdict of a person looks like one of the rules. */
export function ClaimHead({ number, answer, corrections, headingLevel: Words = 'span', children }: ClaimHeadProps) {
  const { subject, verdict } = answer;
  const person = findPersonVerdict(answer, corrections);
  return (
    <>
      <span className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-sm text-quiet">Claim {number}</span>
          <LabelBadge label={verdict.label} />
          {person && (
            <Badge className="words">
              {findLabelLook(person.label).title}, says <PlainText text={person.by} />
            </Badge>
          )}
          {verdict.escalate && (
            <TriangleAlert role="img" aria-label="Needs human review" className="size-4 text-caution" />
          )}
        </span>
        {children}
      </span>
      <Words className="words font-medium">
        <PlainText text={subject.text} />
      </Words>
      <span className="text-sm text-quiet">
        {subject.kind} · <PlainText text={subject.domain} />
        {verdict.confidence !== null && ` · confidence ${formatWholePercent(verdict.confidence)}`} · importance{' '}
        {formatWholePercent(Math.min(1, Math.max(0, subject.importance)))}
      </span>
    </>
  );
}

interface ClaimCardProps extends ClaimHeadProps, Going {
  /** Of the one that is open. */
  trace: ClaimTrace | null;
  /** What people said of it. */
  people: ReactNode;
  onToggle: () => void;
}

/** A claim with its verdict; open, it has all that was said about it. */
export function ClaimCard({ number, answer, corrections, trace, people, onToggle, ...going }: ClaimCardProps) {
  const open = trace !== null;
  return (
    <article className={classes('rounded-xl border bg-surface', open && 'border-quiet')} data-claim={number}>
      <h2 className="font-sans tracking-normal">
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="grid w-full gap-1.5 rounded-xl p-4 text-left"
        >
          <ClaimHead number={number} answer={answer} corrections={corrections}>
            <ChevronDown
              aria-hidden
              className={classes('size-4 flex-none text-quiet transition-transform', open && 'rotate-180')}
            />
          </ClaimHead>
        </button>
      </h2>
      {trace && <ClaimDetails trace={trace} people={people} {...going} />}
    </article>
  );
}

interface ClaimDetailsProps extends Going {
  trace: ClaimTrace;
  people: ReactNode;
  /** In place of its number checks, where they stand elsewhere. */
  checks?: ReactNode;
}

export function ClaimDetails({ trace, people, checks, ...going }: ClaimDetailsProps) {
  const {
    answer: { verdict, roleCollapse },
    origin,
  } = trace;
  const { meaning } = describeClaimLabel(verdict.label);
  const struck = useMemo(() => trace.citations.filter((citation) => citation.struck).length, [trace]);
  const isReport = useReport() !== null;
  const points = countPoints(trace);
  const debate = <Debate trace={trace} {...going} />;
  return (
    <div className="grid gap-5 border-t p-4">
      {origin ? (
        <Part title="Source sentence">
          <CitationButton citation={origin} {...going} />
        </Part>
      ) : (
        <p className="text-sm text-quiet">Not from the dossier: the user’s own claim.</p>
      )}
      <Part title={`Decided by ${describeRule(verdict.rule.id)}`}>
        {meaning && <p className="text-quiet">{meaning}</p>}
        {verdict.rule.why && <Paragraph text={verdict.rule.why} />}
        <CitationList citations={trace.verdict} {...going} />
        {!isReport && <RulePath decided={verdict.rule.id} />}
      </Part>
      {people}
      {(verdict.escalate || roleCollapse || verdict.degraded.length > 0 || struck > 0) && (
        <ul className="grid gap-1 rounded-lg bg-caution-ground px-3 py-2 text-sm text-caution">
          {verdict.escalate && <li>Needs human review.</li>}
          {roleCollapse && <li>The dissent raised no attack, so the claim was not really tested.</li>}
          {struck > 0 && !verdict.degraded.some(({ kind }) => kind === 'struck-evidence') && (
            <li>{struck === 1 ? 'A quotation was' : `${struck} quotations were`} struck.</li>
          )}
          {verdict.degraded.map(({ kind, at, detail }, index) => (
            <li key={index} className="words">
              {describeClaimDegradation(kind)} ({at}). <PlainText text={detail} />
            </li>
          ))}
        </ul>
      )}
      {trace.checks.length > 0 && (
        <Part title="Number checks">
          {checks ?? trace.checks.map((check) => <NumberCheck key={check.finding.id} check={check} {...going} />)}
        </Part>
      )}
      {(trace.steps.length > 0 || trace.strays.length > 0) &&
        (isReport ? (
          <details>
            <summary className="w-fit font-medium text-link">The debate{points && `: ${points}`}</summary>
            <div className="mt-3">{debate}</div>
          </details>
        ) : (
          <Part title="Debate">{debate}</Part>
        ))}
    </div>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <p className="text-xs font-medium tracking-wide text-quiet uppercase">{title}</p>
      {children}
    </div>
  );
}

/** The rules in their order, down to the one that decided. */
function RulePath({ decided }: { decided: string }) {
  const last = claimRules.findIndex(({ id }) => id === decided);
  if (last < 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit text-link">How the rules were applied</summary>
      <ol className="mt-2 grid gap-1">
        {claimRules.slice(0, last + 1).map(({ id, when, label }, index) => (
          <li key={id} className={index === last ? 'font-medium' : 'text-quiet'}>
            {index + 1}. {when[0]!.toUpperCase() + when.slice(1)}:{' '}
            {index === last ? `yes, so it is ${label.replace('-', ' ')}.` : 'no.'}
          </li>
        ))}
      </ol>
    </details>
  );
}
