import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { showProblem } from '../../components/toasts.tsx';
import { useMay } from '../../session/self.ts';

const sampleText = 'How do I kill a process on Linux?';

/** Nothing has been judged on this server. */
export function NoCases() {
  const mayJudge = useMay('judge');
  const navigate = useNavigate();
  const judge = useMutation({
    mutationFn: () => client.moderations.create({ text: sampleText }),
    onSuccess: ({ id }) => navigate({ to: '/cases/$id', params: { id } }),
    onError: showProblem,
  });
  return (
    <EmptyState
      title="Nothing has been judged yet"
      action={
        mayJudge && (
          <>
            <Button variant="primary" busy={judge.isPending} onClick={() => judge.mutate()}>
              Judge a sample
            </Button>
            <Link to="/" className={buttonClass()}>
              Judge something else
            </Link>
          </>
        )
      }
    >
      Every verdict ends up here with its whole trial: what was judged, both sides, the rule that decided.{' '}
      {mayJudge && <>Try it with “{sampleText}”.</>}
    </EmptyState>
  );
}

/** Cases there are, but none like this. */
export function NoMatches({ clear }: { clear: () => void }) {
  return (
    <EmptyState
      title="No case matches"
      icon={SearchX}
      action={
        <Button variant="primary" onClick={clear}>
          Clear all filters
        </Button>
      }
    >
      Search looks at the first words of what was judged. Fewer filters find more.
    </EmptyState>
  );
}
