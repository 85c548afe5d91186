import { useMemo, useState, type RefObject } from 'react';
import type { PolicyTest } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { classes } from '../../components/tones.ts';
import { ClauseResult } from './try-policy.tsx';
import { findClauseAt, findClauseLines } from './find-clauses.ts';

interface PolicyEditorProps {
  value: string;
  onChange: (text: string) => void;
  issues: readonly { line: number; reason: string }[];
  /** The last test of the policy, and whether it was changed since. */
  test: PolicyTest | null;
  isStale: boolean;
  editor: RefObject<HTMLTextAreaElement | null>;
}

/** In rem: the height of a line, and the space above the first. */
const lineHeight = 1.5;
const padding = 0.5;

/**
 * A policy file with its lines numbered. What is wrong stands at its line, how a clause did in the test beside its
 * lines, and of the clause at the cursor all of it.
 */
export function PolicyEditor({ value, onChange, issues, test, isStale, editor }: PolicyEditorProps) {
  const lines = useMemo(() => value.split('\n').length, [value]);
  const clauses = useMemo(() => findClauseLines(value), [value]);
  const results = useMemo(() => new Map(test?.clauses.map((clause) => [clause.clause, clause])), [test]);
  const [scroll, setScroll] = useState(0);
  const [cursor, setCursor] = useState(1);
  const readCursor = ({ currentTarget: { value: text, selectionStart } }: { currentTarget: HTMLTextAreaElement }) =>
    setCursor(text.slice(0, selectionStart).split('\n').length);
  const clause = findClauseAt(clauses, cursor);
  const place = (line: number) => ({ top: `calc(${padding + (line - 1) * lineHeight}rem - ${scroll}px)` });
  return (
    <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_18rem]">
      <div
        className={classes(
          'relative grid h-112 grid-cols-[auto_minmax(0,1fr)] overflow-hidden rounded-lg border border-quiet/60',
          'bg-surface has-focus-visible:outline-3 has-focus-visible:outline-link',
        )}
      >
        <div aria-hidden className="relative w-14 overflow-hidden border-r bg-paper text-right font-mono text-sm">
          <Numbers lines={lines} scroll={scroll} wrong={issues} />
        </div>
        <div className="relative overflow-hidden">
          <div aria-hidden className="pointer-events-none absolute inset-0">
            {issues.map(({ line, reason }, index) => (
              <p
                key={index}
                data-line={line}
                style={place(line)}
                className="absolute inset-x-0 h-6 truncate bg-risk-ground text-right"
              >
                <span className="px-2 text-xs font-medium text-risk">{reason}</span>
              </p>
            ))}
            {clauses.map(({ id, line }) => {
              const result = results.get(id);
              return result && <ClauseMark key={`${id} ${line}`} result={result} style={place(line)} />;
            })}
          </div>
          <TextAreaField
            label="Policy file"
            hideLabel
            className="absolute inset-0 [&>p]:sr-only"
            error={
              issues.length > 0 ? `${issues.length} ${issues.length === 1 ? 'problem' : 'problems'} found.` : undefined
            }
            ref={editor}
            spellCheck={false}
            wrap="off"
            look={classes(
              'h-112 resize-none overflow-auto rounded-none border-0 bg-transparent px-2 py-2 font-mono text-sm',
              'leading-6! whitespace-pre outline-none',
            )}
            value={value}
            onChange={onChange}
            onScroll={({ currentTarget }) => setScroll(currentTarget.scrollTop)}
            onSelect={readCursor}
          />
        </div>
      </div>
      <aside aria-label="The clause at the cursor" className="grid content-start gap-2 text-sm">
        {clause === null ? (
          <p className="text-quiet">Put the cursor into a clause to see how its examples did in the test.</p>
        ) : (
          <>
            <h3 className="font-mono font-medium">{clause}</h3>
            {test === null ? (
              <p className="text-quiet">Not tested yet: check and save, then test.</p>
            ) : (
              <ClauseResult result={results.get(clause) ?? null} />
            )}
          </>
        )}
        {test !== null && isStale && <p className="text-caution">Tested before your latest changes.</p>}
      </aside>
    </div>
  );
}

interface NumbersProps {
  lines: number;
  scroll: number;
  wrong: readonly { line: number }[];
}

/** One text of all numbers: a policy may have thousands of lines. */
function Numbers({ lines, scroll, wrong }: NumbersProps) {
  const numbers = useMemo(() => Array.from({ length: lines }, (_, index) => index + 1).join('\n'), [lines]);
  return (
    <div style={{ transform: `translateY(${-scroll}px)` }} className="relative py-2">
      <pre className="px-2 leading-6 text-quiet">{numbers}</pre>
      {wrong.map(({ line }, index) => (
        <span
          key={index}
          style={{ top: `${padding + (line - 1) * lineHeight}rem` }}
          className="absolute inset-x-0 h-6 bg-risk-ground px-2 leading-6 font-medium text-risk"
        >
          {line}
        </span>
      ))}
    </div>
  );
}

type ClauseTest = PolicyTest['clauses'][number];

function ClauseMark({ result: { examples, missed }, style }: { result: ClauseTest; style: { top: string } }) {
  return (
    <p style={style} className="absolute right-2 flex h-6 items-center">
      <Badge tone={missed.length === 0 ? 'exoneration' : 'caution'} className="py-0 text-xs">
        {examples - missed.length} of {examples}
      </Badge>
    </p>
  );
}
