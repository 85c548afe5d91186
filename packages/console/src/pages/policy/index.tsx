import { useMutation, useQuery } from '@tanstack/react-query';
import { Card, Page, ProblemNotice, QueryView, Skeleton } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/session.ts';
import { ReadPolicy } from './read-policy.tsx';
import { Enact, PolicyDifference, Versions } from './versions.tsx';
import { invalidate, policyQuery, versionsQuery, writtenPolicyQuery } from '../../api/query-options.ts';
import { type ReactNode, Suspense, lazy, useRef, useState } from 'react';
import { type PolicyTest, client } from '../../api/client.ts';
import { describeProblem } from '../../api/problem.ts';
import { readStored, writeStored } from '../../browser-storage.ts';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/toasts.tsx';
import { Impact, TestPolicy } from './try-policy.tsx';

const tabs = ['read', 'edit', 'versions'] as const;

/** The rulebook: read it, change it, see what a change would do before it goes live. */
export function PolicyPage() {
  const [{ tab, hash, against }, change] = useSearchState((raw) => ({
    tab: pickOne(tabs, raw['tab']) ?? 'read',
    hash: raw['hash'] ?? 'active',
    against: raw['against'],
  }));
  const mayReview = useMay('review');
  const policy = useQuery(policyQuery(hash));
  const versions = useQuery(versionsQuery);
  const active = versions.data?.rows.find((version) => version.active);
  const isActive = hash === 'active' || hash === active?.hash;
  const shown = tab === 'edit' && !mayReview ? 'read' : tab;
  return (
    <Page
      title="Policy"
      lead="The rules behind every verdict. Each case records the policy’s hash, so wording changes are visible."
    >
      <Tabs
        label="Policy"
        value={shown}
        onChange={(name) => change({ tab: name === 'read' ? undefined : name }, { replace: false })}
        tabs={[
          {
            name: 'read',
            label: 'Read',
            panel: (
              <QueryView query={policy} lines={10} what="Loading policy">
                {(read) => <ReadPolicy policy={read} active={isActive} onLatest={() => change({ hash: undefined })} />}
              </QueryView>
            ),
          },
          ...(mayReview
            ? [
                {
                  name: 'edit' as const,
                  label: 'Edit and test',
                  panel: <EditPolicy key={hash} hash={hash} active={active?.hash ?? null} />,
                },
              ]
            : []),
          {
            name: 'versions',
            label: 'Versions',
            panel: (
              <Versions hash={hash === 'active' ? (active?.hash ?? hash) : hash} against={against} change={change} />
            ),
          },
        ]}
      />
    </Page>
  );
}

const PolicyEditor = lazy(async () => ({ default: (await import('./policy-editor.tsx')).PolicyEditor }));

/** From a change of words to a policy in force: check it, test it, see its impact, then let it judge. */
function EditPolicy({ hash, active }: { hash: string; active: string | null }) {
  const written = useQuery(writtenPolicyQuery(hash));
  const [draft, setDraft] = useState<string | null>(() => readStored('policy-draft'));
  const [tested, setTested] = useState<{ report: PolicyTest; yaml: string } | null>(null);
  const editor = useRef<HTMLTextAreaElement>(null);
  const yaml = draft ?? written.data;
  const check = useMutation({
    mutationFn: () => client.policies.create({ yaml: yaml! }),
    onSuccess: async (policy) => {
      await invalidate('policies');
      showToast(
        policy.hash === active
          ? 'No change: this is the policy in force.'
          : `Saved as ${policy.name} ${policy.version}. It is not in force yet.`,
      );
    },
  });
  const write = (text: string | null) => {
    setDraft(text);
    writeStored('policy-draft', text);
    // What was checked is no longer what is written.
    check.reset();
  };
  const issues = check.error ? describeProblem(check.error).issues : [];
  const goTo = (line: number) => {
    const at =
      (yaml ?? '')
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    editor.current?.focus();
    editor.current?.setSelectionRange(at, at);
  };
  if (written.error) return <ProblemNotice error={written.error} retry={() => void written.refetch()} />;
  if (yaml === undefined) return <Skeleton className="h-96 w-full" />;
  const made = check.data;
  return (
    <div className="grid gap-6">
      <Step
        number={1}
        title="Write"
        lead={
          'In YAML, as agon policy reads it. Change the version when you edit it. Your draft is saved in this ' +
          'browser.'
        }
      >
        <Suspense fallback={<Skeleton className="h-112 w-full" />}>
          <PolicyEditor
            editor={editor}
            value={yaml}
            onChange={write}
            issues={issues}
            test={tested?.report ?? null}
            isStale={tested !== null && tested.yaml !== yaml}
          />
        </Suspense>
        {issues.length > 0 && (
          <ul className="grid gap-1">
            {issues.map(({ line, reason }, index) => (
              <li key={index}>
                <button type="button" className="text-left text-link underline" onClick={() => goTo(line)}>
                  Line {line}
                </button>{' '}
                <span className="words">{reason}</span>
              </li>
            ))}
          </ul>
        )}
        {check.isError && <ProblemNotice error={check.error} />}
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={check.isPending} onClick={() => check.mutate()}>
            Check and save
          </Button>
          {draft !== null && (
            <Button variant="quiet" onClick={() => write(null)}>
              Discard draft
            </Button>
          )}
        </div>
      </Step>
      <Step number={2} title="Changes" waits={!made}>
        {made && active && <PolicyDifference from={active} to={made.hash} />}
      </Step>
      <Step
        number={3}
        title="Test"
        lead="Each clause must catch its violations, and clear the examples that only look similar."
        waits={!made}
      >
        {made && <TestPolicy key={made.hash} hash={made.hash} onReport={(report) => setTested({ report, yaml })} />}
      </Step>
      <Step
        number={4}
        title="Impact"
        lead="Past cases are judged again under the new policy. Unaffected turns are reused at no cost."
        waits={!made}
      >
        {made && <Impact key={made.hash} hash={made.hash} />}
      </Step>
      <Step number={5} title="Put in force" waits={!made}>
        {made && <Enact version={made} active={active === made.hash} onDone={() => write(null)} />}
      </Step>
    </div>
  );
}

interface StepProps {
  number: number;
  title: string;
  lead?: string;
  /** For the policy to be saved. */
  waits?: boolean;
  children: ReactNode;
}

function Step({ number, title, lead, waits = false, children }: StepProps) {
  return (
    <Card className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-3">
      <span aria-hidden className="grid size-9 place-items-center rounded-full border-2 font-medium">
        {number}
      </span>
      <h2 className="self-center text-xl">{title}</h2>
      <div className="col-span-2 grid min-w-0 gap-3 sm:col-span-1 sm:col-start-2">
        {lead && <p className="max-w-3xl text-quiet">{lead}</p>}
        {waits ? <p className="text-quiet">Available after you save.</p> : children}
      </div>
    </Card>
  );
}
