import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  nameTerm,
  readArithmetic,
  readExpression,
  type ArithmeticStep,
} from '@agonhq/documents/findings/read-expression';
import { nameCheck } from '@agonhq/documents/view';
import type { CitedCheck } from '@agonhq/documents/trace';
import { Badge } from '../../../components/badge.tsx';
import { PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';
import type { Going } from '../analysis-types.ts';
import { citationCard, CitationLink, CitationList } from './citation-button.tsx';

export function OutcomeBadge({ outcome }: { outcome: string }) {
  return outcome === 'conflict' ? (
    <Badge tone="risk" icon={CircleX}>
      Conflict
    </Badge>
  ) : (
    <Badge tone="exoneration" icon={CircleCheck}>
      Holds
    </Badge>
  );
}

interface NumberCheckProps extends Going {
  check: CitedCheck;
  /** Among all of the analysis, where they are told apart by it. */
  number?: number;
  children?: ReactNode;
}

/** What a number tool computed: the expression, what its terms are bound to, the arithmetic, and where it stands. */
export function NumberCheck({ check, number, children, ...going }: NumberCheckProps) {
  const { finding, citations, bindings } = check;
  const bound = new Set(bindings.map(({ citation }) => citation.index));
  return (
    <div className="grid gap-1.5 rounded-lg border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        <OutcomeBadge outcome={finding.outcome} />
        <span className="text-sm text-quiet">
          {number !== undefined && `Check ${number}: `}
          {nameCheck(finding.check)}
        </span>
      </div>
      <p className="words">
        <PlainText text={finding.statement} />
      </p>
      {finding.program !== undefined && <Expression program={finding.program} bindings={bindings} {...going} />}
      <Arithmetic finding={finding} />
      {bindings.length > 0 && <Bindings bindings={bindings} {...going} />}
      <CitationList citations={citations.filter(({ index }) => !bound.has(index))} {...going} />
      {children}
    </div>
  );
}

/** `Europe, FY2024 ÷ Total, FY2024 = 61 %`: every term leads to its cell. */
function Expression({ program, bindings, ...going }: { program: string; bindings: CitedCheck['bindings'] } & Going) {
  const parts = readExpression(
    program,
    bindings.map(({ term }) => term),
  );
  return (
    <p className="words leading-8" data-expression>
      {parts.map((part, index) => {
        if ('text' in part) return <PlainText key={index} text={part.text} />;
        const { citation } = bindings.find(({ term }) => term === part.term)!;
        return (
          <CitationLink
            key={index}
            citation={citation}
            isListed={false}
            className="rounded-md border bg-paper px-1.5 py-0.5 text-left leading-5 text-link"
            {...going}
          >
            <PlainText text={nameTerm(part.term)} />
          </CitationLink>
        );
      })}
    </p>
  );
}

const stepWords: Record<ArithmeticStep['what'], string> = {
  computed: 'With the values',
  result: 'comes to',
  stated: 'The document states',
  gap: 'a difference of',
};

function Arithmetic({ finding }: { finding: CitedCheck['finding'] }) {
  return (
    <ol aria-label="Arithmetic" className="grid gap-0.5 rounded-md bg-paper px-3 py-1.5 text-sm">
      {readArithmetic(finding).map(({ what, text }, index) => (
        <li key={index} className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-2 max-sm:grid-cols-[6.5rem_minmax(0,1fr)]">
          <span className="text-quiet">{stepWords[what]}</span>
          <span className="words font-mono">
            <PlainText text={text} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Each value with its cell: a press marks it on the page. */
function Bindings({ bindings, ...going }: { bindings: CitedCheck['bindings'] } & Going) {
  return (
    <ul aria-label="Values" className="grid gap-1">
      {bindings.map(({ term, why, citation }, index) => (
        <li key={index}>
          <CitationLink citation={citation} className={classes(citationCard, 'w-full border-l-implicit')} {...going}>
            <span className="words flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">
                <PlainText text={nameTerm(term)} />
              </span>
              <span className="font-mono">
                <PlainText text={citation.quote} />
              </span>
            </span>
            <span className="words text-quiet">
              <PlainText text={why} />
              {why !== '' && citation.where !== '' && ' · '}
              <span className="text-link">
                <PlainText text={citation.where} />
              </span>
            </span>
          </CitationLink>
        </li>
      ))}
    </ul>
  );
}
