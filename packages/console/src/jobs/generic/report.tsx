import { viewAnyDebate } from '@agonhq/engine/view';
import { Section } from '../../components/page.tsx';
import { DebateReport, titleVerdict, type ReportProps, type ReportView } from '../../report/debate-report.tsx';
import { describeAnyTrial } from './trial-job.ts';
import { ComputedSteps } from './views.tsx';

/** The report of a job that has no views of its own. */
export function describeAnyReport(title: string): ReportView {
  return {
    name: `${title} report`,
    describe: titleVerdict,
    Body: AnyReport,
  };
}

function AnyReport({ answer, extras, title }: ReportProps) {
  return (
    <DebateReport
      answer={answer}
      extras={extras}
      job={describeAnyTrial({ id: answer.job, title })}
      debate={viewAnyDebate(answer as unknown as Parameters<typeof viewAnyDebate>[0])}
      after={
        <Section title="Computed steps">
          <ComputedSteps answer={answer} />
        </Section>
      }
      rechecked="rules"
    />
  );
}
