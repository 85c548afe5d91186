import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  nameTerm,
  readArithmetic,
  readExpression,
  type ArithmeticStep,
} from '@agonhq/documents/findings/read-expression';
import { nameCheck } from '@agonhq/documents/view';
import { Badge } from '../../../components/badge.tsx';
import { classes } from '../../../components/tones.ts';
import type { CitedCheck } from '../trace/cite-check.ts';
import type { Citation } from '../trace/types.ts';
import { CitationList } from './citation-button.tsx';

interface Going {
  active: number | null;
  onGo: (citation: Citation) => void;
}

/** What a number tool computed: the expression, what its terms are bound to, the arithmetic, and where it stands. */
export function NumberCheck({ check, children, ...going }: { check: CitedCheck; children?: ReactNode } & Going) {
  const { finding, citations, bindings } = check;
  const bound = new Set(bindings.map(({ citation }) => citation.index));
  const conflict = finding.outcome === 'conflict';
  return (
    <div className="grid gap-1.5 rounded-lg border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        {conflict ? (
          <Badge tone="risk">
            <CircleX aria-hidden className="size-4" /> Conflict
          </Badge>
        ) : (
          <Badge tone="exoneration">
            <CircleCheck aria-hidden className="size-4" /> Holds
          </Badge>
        )}
        <span className="text-sm text-quiet">{nameCheck(finding.check)}</span>
      </div>
      <p className="words">{finding.statement}</p>
      {finding.program !== undefined && <Expression program={finding.program} bindings={bindings} {...going} />}
      <Arithmetic finding={finding} />
      {bindings.length > 0 && <Bindings bindings={bindings} {...going} />}
      <CitationList citations={citations.filter(({ index }) => !bound.has(index))} {...going} />
      {children}
    </div>
  );
}

/** `Europe, FY2024 ÷ Total, FY2024 = 61 %`: every term leads to its cell. */
function Expression({
  program,
  bindings,
  active,
  onGo,
}: { program: string; bindings: CitedCheck['bindings'] } & Going) {
  const parts = readExpression(
    program,
    bindings.map(({ term }) => term),
  );
  return (
    <p className="words leading-8" data-expression>
      {parts.map((part, index) => {
        if ('text' in part) return <span key={index}>{part.text}</span>;
        const { citation } = bindings.find(({ term }) => term === part.term)!;
        return (
          <button
            key={index}
            type="button"
            onClick={() => onGo(citation)}
            className={classes(
              'rounded-md border bg-paper px-1.5 py-0.5 text-left leading-5 text-link hover:border-quiet',
              citation.index === active && 'outline-2 outline-link',
            )}
          >
            {nameTerm(part.term)}
          </button>
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
          <span className="words font-mono">{text}</span>
        </li>
      ))}
    </ol>
  );
}

/** Each value with its cell: a press marks it on the page. */
function Bindings({ bindings, active, onGo }: { bindings: CitedCheck['bindings'] } & Going) {
  return (
    <ul aria-label="Values" className="grid gap-1">
      {bindings.map(({ term, why, citation }, index) => (
        <li key={index}>
          <button
            type="button"
            data-citation={citation.index}
            aria-current={citation.index === active || undefined}
            onClick={() => onGo(citation)}
            className={classes(
              'grid w-full rounded-lg border border-l-4 border-l-implicit bg-surface px-3 py-1.5 text-left text-sm',
              'hover:border-quiet',
              citation.index === active && 'outline-2 outline-link',
            )}
          >
            <span className="words flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{nameTerm(term)}</span>
              <span className="font-mono">{citation.quote}</span>
            </span>
            <span className="words text-quiet">
              {why}
              {why !== '' && citation.where !== '' && ' · '}
              <span className="text-link">{citation.where}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
