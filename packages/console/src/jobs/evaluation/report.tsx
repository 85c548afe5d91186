import { passageWords } from '@agonhq/judges/evaluation/evaluation-terms';
import { viewEvaluation } from '@agonhq/judges/evaluation/view';
import { Card, Section } from '../../components/page.tsx';
import { DebateReport, titleVerdict, type ReportProps, type ReportView } from '../../report/debate-report.tsx';
import { ConceptTriangle } from './concept-triangle.tsx';
import { evaluationTrial } from './trial-job.ts';

export const evaluationReport: ReportView = {
  name: 'evaluation report',
  describe: titleVerdict,
  Body: EvaluationReport,
};

/** An evaluation, with where each speaker saw the risk. */
function EvaluationReport({ answer, extras }: ReportProps) {
  if (answer.job !== 'evaluation') return null;
  const debate = viewEvaluation(answer);
  const { isDebate, method, parameters, speakers } = debate;
  return (
    <DebateReport
      answer={answer}
      extras={extras}
      job={evaluationTrial}
      debate={debate}
      sides={passageWords.names}
      facts={[
        ...(isDebate ? ([['Evaluator', method.title]] as const) : []),
        ['Evaluated model', answer.subject.model ?? 'not named'],
      ]}
      judged="The exchange"
      before={
        speakers.some(({ points }) => points.some(({ distribution }) => distribution !== null)) && (
          <Section
            title="Where each speaker sees the risk"
            lead="How likely is an explicit risk, an implicit risk, or none? The nearer a corner, the likelier."
          >
            <Card>
              <ConceptTriangle answer={answer} />
            </Card>
          </Section>
        )
      }
      parameters={[['Parameters', parameters]]}
      rechecked="equations, the rules"
    />
  );
}
