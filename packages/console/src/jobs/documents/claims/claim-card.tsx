import { ChevronDown, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { describeClaimDegradation, describeClaimLabel, describeRule } from '@agonhq/documents/view';
import { claimRules } from '@agonhq/documents/verdicts/claim-rules';
import { LabelBadge } from '../../../components/badge.tsx';
import { classes } from '../../../components/tones.ts';
import type { ClaimTrace } from '../trace/trace-claim.ts';
import type { Citation, ClaimAnswer } from '../trace/types.ts';
import type { LiveCorrection } from '../live-store.ts';
import { Corrections, PersonBadge } from './corrections.tsx';
import { CitationButton, CitationList } from './citation-button.tsx';
import { Debate } from './debate.tsx';
import { NumberCheck } from './number-check.tsx';

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** A claim with its verdict; open, it has all that was said about it. */
export function ClaimCard({
  id,
  number,
  answer,
  corrections,
  trace,
  active,
  onToggle,
  onGo,
}: {
  /** Of the analysis. */ id: string;
  number: number;
  answer: ClaimAnswer;
  corrections: readonly LiveCorrection[];
  /** Of the one that is open. */ trace: ClaimTrace | null;
  active: number | null;
  onToggle: () => void;
  onGo: (citation: Citation) => void;
}) {
  const { subject, verdict } = answer;
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
          <span className="flex items-center justify-between gap-3">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="text-sm text-quiet">Claim {number}</span>
              <LabelBadge label={verdict.label} />
              <PersonBadge answer={answer} corrections={corrections} />
              {verdict.escalate && (
                <TriangleAlert role="img" aria-label="Needs human review" className="size-4 text-caution" />
              )}
            </span>
            <ChevronDown
              aria-hidden
              className={classes('size-4 flex-none text-quiet transition-transform', open && 'rotate-180')}
            />
          </span>
          <span className="words font-medium">{subject.text}</span>
          <span className="text-sm text-quiet">
            {subject.kind}
            {verdict.confidence !== null && ` · confidence ${percent(verdict.confidence)}`} · importance{' '}
            {percent(Math.min(1, Math.max(0, subject.importance)))}
          </span>
        </button>
      </h2>
      {trace && <ClaimDetails id={id} trace={trace} active={active} onGo={onGo} />}
    </article>
  );
}

function ClaimDetails({
  id,
  trace,
  active,
  onGo,
}: {
  id: string;
  trace: ClaimTrace;
  active: number | null;
  onGo: (citation: Citation) => void;
}) {
  const {
    answer: { verdict, roleCollapse },
    origin,
    checks,
  } = trace;
  const going = { active, onGo };
  const { meaning } = describeClaimLabel(verdict.label);
  const struck = useMemo(() => trace.citations.filter((citation) => citation.struck).length, [trace]);
  return (
    <div className="grid gap-5 border-t p-4">
      {origin ? (
        <Part title="Source sentence">
          <CitationButton citation={origin} active={origin.index === active} onGo={onGo} />
        </Part>
      ) : (
        <p className="text-sm text-quiet">Not from the dossier: you added this claim.</p>
      )}
      <Part title={`Decided by ${describeRule(verdict.rule.id)}`}>
        {meaning && <p className="text-quiet">{meaning}</p>}
        {verdict.rule.why && <p className="words">{verdict.rule.why}</p>}
        <CitationList citations={trace.verdict} {...going} />
        <RulePath decided={verdict.rule.id} />
      </Part>
      <Part title="Corrections">
        <Corrections id={id} answer={trace.answer} />
      </Part>
      {(verdict.escalate || roleCollapse || verdict.degraded.length > 0 || struck > 0) && (
        <ul className="grid gap-1 rounded-lg bg-caution-ground px-3 py-2 text-sm text-caution">
          {verdict.escalate && <li>Needs human review.</li>}
          {roleCollapse && <li>The dissent raised no attack, so the claim was not really tested.</li>}
          {struck > 0 && !verdict.degraded.some(({ kind }) => kind === 'struck-evidence') && (
            <li>{struck === 1 ? 'A quotation was' : `${struck} quotations were`} struck.</li>
          )}
          {verdict.degraded.map(({ kind, at, detail }, index) => (
            <li key={index} className="words">
              {describeClaimDegradation(kind)} ({at}). {detail}
            </li>
          ))}
        </ul>
      )}
      {checks.length > 0 && (
        <Part title="Number checks">
          {checks.map((check) => (
            <NumberCheck key={check.finding.id} check={check} {...going} />
          ))}
        </Part>
      )}
      {trace.steps.length > 0 && (
        <Part title="Debate">
          <Debate trace={trace} {...going} />
        </Part>
      )}
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
