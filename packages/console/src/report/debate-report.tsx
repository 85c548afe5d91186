import { useMemo, type ReactNode } from 'react';
import {
  describeLabel,
  toRecord,
  toText,
  type Citations,
  type DebateView as ReadDebate,
  type PassageWords,
} from '@agonhq/engine/view';
import type { ReportExtras } from '@agonhq/judges/job';
import type { SentAnswer } from '../api/client.ts';
import { ContextView } from '../components/context-view.tsx';
import { Card, Section } from '../components/page.tsx';
import type { TableFact } from '../components/table.tsx';
import type { TrialJob } from '../jobs/console-job.ts';
import { DebateView } from '../trial/debate-view.tsx';
import { trialFromAnswer } from '../trial/fold-trial.ts';
import { findRecordingPath } from '../trial/moment-button.tsx';
import { PointingProvider } from '../trial/pointing.tsx';
import { listRuleSteps, RuleSteps } from '../trial/rule-steps.tsx';
import { collectScores, ScoreChart } from '../trial/score-chart.tsx';
import { ProvenanceFacts, RecordTable, UsageView } from '../trial/small-print.tsx';
import { SubjectView } from '../trial/subject-view.tsx';
import type { JudgedFile } from '../trial/trial-view.ts';
import { VerdictBanner } from '../trial/verdict-banner.tsx';
import { PassageList } from './passages.tsx';
import { ReportContext } from './report-context.ts';

/** What a report is drawn of. */
export interface ReportProps {
  answer: SentAnswer;
  extras: ReportExtras;
  title: string;
}

/** How the answers of a job are shown as a page that is read on its own. */
export interface ReportView {
  /** `moderation report`. */
  readonly name: string;
  /** What an answer came to, in a word: `Unsafe`. */
  describe(answer: SentAnswer): string;
  /** Everything between its head and its foot, with one heading of the first rank. */
  readonly Body: (props: ReportProps) => ReactNode;
}

/** What a debate came to, in a word. */
export function titleVerdict(answer: SentAnswer): string {
  const { label } = toRecord(toRecord(answer)['verdict']);
  return describeLabel(toText(label) ?? '').title;
}

interface DebateReportProps extends Omit<ReportProps, 'title'> {
  job: TrialJob;
  /** As its Markdown says it: its passages have the same numbers. */
  debate: ReadDebate & { citations: Citations };
  /** What passages are quoted for, in words. */
  sides?: PassageWords['names'];
  facts?: readonly TableFact[];
  judged?: string;
  /** What stands before the debate, and after it. */
  before?: ReactNode;
  after?: ReactNode;
  /** What provenance names besides. */
  parameters?: readonly TableFact[];
  /** What `agon verify` rechecks beside quotations and hashes. */
  rechecked: string;
}

/** A debate as a report: what was decided, why, on what, who said what, what it took, and how to check it. */
export function DebateReport({ answer, extras, job, debate, ...parts }: DebateReportProps) {
  const view = useMemo(() => trialFromAnswer(job, answer), [job, answer]);
  const report = {
    citations: debate.citations,
    anchors: new Map(debate.turns.map(({ turn, anchor }) => [turn.key, anchor])),
    extras,
  };
  const rules = listRuleSteps(view);
  const { isDebate, method, tally, outcome } = debate;
  const { subject } = answer as { subject: Parameters<typeof ContextView>[0] };
  const { name, version } = answer.provenance.policy;
  return (
    <ReportContext value={report}>
      <PointingProvider sources={view.sources}>
        <VerdictBanner view={view} headingLevel="h1" {...(parts.facts ? { facts: parts.facts } : {})} />
        {(rules !== null || !isDebate) && (
          <Section title="Why" lead={method.how}>
            {rules !== null && (
              <Card>
                <RuleSteps view={view} />
              </Card>
            )}
            {tally !== null && <p className="font-medium">{tally}</p>}
            {outcome !== null && <p>{outcome}</p>}
          </Section>
        )}
        <Section
          title={parts.judged ?? 'What was judged'}
          lead="Highlighted passages are quoted below. A number links to the turn that quotes it, and back."
        >
          <Card className="grid gap-5">
            <SubjectView
              view={view}
              fileUrl={(file) => findPicture(file, extras) ?? findRecordingPath(report, file.id)}
            />
            <PassageList names={parts.sides ?? {}} />
          </Card>
          <ContextView context={subject.context ?? null} shown={view.contextShown} />
        </Section>
        {parts.before}
        {view.turns.size > 0 && (
          <Section title={isDebate || method.id === 'role-free' ? 'The debate' : 'What was said'}>
            {collectScores(view).columns.length > 1 && (
              <Card>
                <ScoreChart view={view} />
              </Card>
            )}
            <DebateView view={view} />
          </Section>
        )}
        {parts.after}
        <UsageView usage={answer.usage} />
        <Section
          title="Provenance"
          lead={
            <>
              To check this answer, save it as JSON and run <code className="font-mono">agon verify answer.json</code>.
              It rechecks every quotation, the {parts.rechecked} and the hashes, without a model or a network.
            </>
          }
        >
          <Card className="grid gap-5">
            <ProvenanceFacts
              answer={answer}
              policy={job.usesPolicy && `${name} ${version}`}
              {...(parts.parameters ? { more: parts.parameters } : {})}
            />
          </Card>
          <RecordTable transcript={answer.transcript} />
        </Section>
      </PointingProvider>
    </ReportContext>
  );
}

const picture = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/]+=*$/;

/** A picture that is in the report; nothing is fetched for it. */
function findPicture({ id }: JudgedFile, { images = {} }: ReportExtras): string | null {
  const data = Object.hasOwn(images, id) ? images[id]! : '';
  return picture.test(data) ? data : null;
}
