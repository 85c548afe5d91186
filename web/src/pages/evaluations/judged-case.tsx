import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { ConceptTriangle } from '../../components/concept-triangle.tsx';
import { Facts } from '../../components/facts.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Score } from '../../components/score.tsx';
import { Loading } from '../../components/skeleton.tsx';
import { PlainText } from '../../components/words.tsx';
import { caseQuery } from './evaluations-query.ts';

/** The case behind an item: what was decided and why; of an evaluation, where each role saw the risk. */
export function CaseSummary({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(caseQuery(id));
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={3} what="Loading the case" />;
  const why = data.answer === null || data.answer.job === 'documents' ? null : data.answer.verdict.rule.why;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="words max-h-48 overflow-y-auto">
        {data.excerpt === null ? (
          <i className="text-quiet">What was judged was forgotten</i>
        ) : (
          <PlainText text={data.excerpt} />
        )}
      </p>
      <Facts
        facts={[
          ['Verdict', <LabelBadge key="label" label={data.label} />],
          ['Score', <Score key="score" value={data.score} />],
          ['Rule', data.rule],
          ['Categories', data.categories.join(', ') || null],
          ['Models', data.models.join(', ')],
        ]}
      />
      {why !== null && (
        <p className="words text-quiet">
          <PlainText text={why} />
        </p>
      )}
      {data.answer?.job === 'evaluation' && <ConceptTriangle answer={data.answer} />}
      <div>
        <Link to="/cases/$id" params={{ id }} className={buttonClass('secondary', 'small')}>
          Open the whole case
        </Link>
      </div>
    </div>
  );
}
