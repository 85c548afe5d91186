import { TriangleAlert, UserRoundCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  describeDegradation,
  groupDegradations,
  nameClauses,
  nameSeat,
  readDistribution,
  viewVerdictRisk,
} from '@agonhq/engine/view';
import { ActionBadge, Badge, ClauseText, findLabelLook } from '../components/badge.tsx';
import { Paragraph, PlainText } from '../components/text.tsx';
import { DistributionBar, formatWholePercent, RiskMeter, Score } from '../components/bars.tsx';
import { classes, panels, texts } from '../components/tones.ts';
import { useReport } from '../report/report-context.ts';
import { QuoteList } from './quote-list.tsx';
import type { TrialView } from './trial-view.ts';
import { Facts, type TableFact } from '../components/table.tsx';

interface VerdictBannerProps {
  view: Pick<TrialView, 'job' | 'verdict' | 'method' | 'calibration' | 'sensitivity' | 'answer'>;
  children?: ReactNode;
  /** What the job says of it beside. */
  facts?: readonly TableFact[];
  headingLevel?: 'h1' | 'h2' | 'h3';
}

/** What was decided, how sure, by which rule; nothing before it is. The evidence of a debate stands with its rules. */
export function VerdictBanner({ view, children, facts = [], headingLevel: Heading = 'h2' }: VerdictBannerProps) {
  const { job, verdict, method } = view;
  if (verdict === null) return null;
  const { tone, title, icon: Icon } = findLabelLook(verdict.label);
  const meaning = job.terms.describeVerdict(verdict);
  const otherMethod = method === 'debate' ? null : method;
  const distribution = readDistribution(verdict.distribution);
  const report = useReport();
  const clauses = verdict.categories.map(({ id, clause }) => ({
    category: nameSeat(id),
    ...nameClauses([clause], report?.extras.policy)[0]!,
  }));
  return (
    <section
      id={report ? 'verdict' : undefined}
      aria-label="Verdict"
      className="overflow-hidden rounded-xl border bg-surface"
    >
      <div
        className={classes(
          'flex items-center gap-3 border-b px-4 py-3 sm:px-5',
          panels[tone],
          tone !== 'quiet' && texts[tone],
        )}
      >
        <Icon aria-hidden className="size-9 flex-none" />
        <div className="min-w-0 flex-1">
          <Heading className="font-serif text-2xl leading-tight">{title}</Heading>
          {meaning !== '' && <p className="text-sm">{meaning}</p>}
        </div>
      </div>
      <div className="grid gap-4 p-4 sm:p-5">
        <Warnings view={view} />
        {verdict.escalate && (
          <p className="flex items-center gap-2 font-medium text-caution">
            <UserRoundCheck aria-hidden className="size-5 flex-none" /> Needs human review.
          </p>
        )}
        <Facts
          className="flex flex-wrap gap-x-6 gap-y-2"
          facts={[
            job.terms.isRisk
              ? ['Risk', <RiskMeter key="risk" risk={viewVerdictRisk(verdict)} width="w-20" saysBar />]
              : ['Score', <Score key="score" value={verdict.score ?? null} width="w-14" />],
            typeof verdict.confidence === 'number' ? ['Confidence', formatWholePercent(verdict.confidence)] : null,
            view.sensitivity === null ? null : ['Sensitivity', view.sensitivity],
            verdict.action === undefined
              ? null
              : (['Proposed action', <ActionBadge key="action" action={verdict.action} />] as const),
            verdict.severity ? (['Severity', verdict.severity] as const) : null,
            ...job.terms.listVerdictFacts(verdict),
            ...facts,
            otherMethod === null ? null : ['Method', job.terms.describeMethod(otherMethod).title],
          ]}
        />
        {distribution && <DistributionBar distribution={distribution} />}
        <div className="grid gap-1">
          <p className="text-sm text-quiet">Decided by {job.terms.describeRule(verdict.rule.id)}</p>
          <Paragraph text={verdict.rule.why} />
        </div>
        {verdict.categories.length > 0 && (
          <ul aria-label="Categories" className="flex flex-wrap gap-2">
            {clauses.map(({ category, id, title: words, text }) => (
              <li key={`${category} ${id}`}>
                <Badge tone={tone} className="whitespace-normal">
                  {text === null ? category : words} <span className="font-mono text-xs">{id}</span>
                </Badge>
                <ClauseText text={text} />
              </li>
            ))}
          </ul>
        )}
        {(otherMethod !== null || report) && (
          <QuoteList
            evidence={verdict.evidence}
            tone={verdict.label === 'safe' ? 'exoneration' : 'risk'}
            label="Evidence"
          />
        )}
        {verdict.degraded.length > 0 && (
          <div className="grid gap-1 rounded-lg bg-caution-ground px-3 py-2 text-sm text-caution">
            <p className="flex items-center gap-2 font-medium">
              <TriangleAlert aria-hidden className="size-4" /> Read with care
            </p>
            <ul className="grid gap-1">
              {groupDegradations(verdict.degraded).map(({ kind, places, detail }, index) => (
                <li key={index} className="words">
                  {describeDegradation(kind)} (<code className="font-mono text-xs">{places.join(', ')}</code>):{' '}
                  <PlainText text={detail} />
                </li>
              ))}
            </ul>
          </div>
        )}
        {children && <div className="flex flex-wrap gap-2">{children}</div>}
      </div>
    </section>
  );
}

function Warnings({ view: { job, answer } }: Pick<VerdictBannerProps, 'view'>) {
  const warnings = (answer && job.listWarnings?.(answer)) ?? [];
  if (warnings.length === 0) return null;
  return (
    <div className="grid gap-1 rounded-lg bg-caution-ground px-3 py-2 text-sm text-caution">
      <p className="font-medium">Who judged whom</p>
      <ul className="grid gap-1">
        {warnings.map(({ title, seat, detail }, index) => (
          <li key={index} className="words">
            {title} (<code className="font-mono text-xs">{seat}</code>): <PlainText text={detail} />
          </li>
        ))}
      </ul>
    </div>
  );
}
