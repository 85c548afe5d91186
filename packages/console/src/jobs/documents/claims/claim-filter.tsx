import { labelOrder } from '@agonhq/documents/view';
import { Field, Select } from '../../../components/field.tsx';
import { findLabelLook } from '../../../components/badge.tsx';
import { classes } from '../../../components/tones.ts';
import type { ClaimAnswer } from '../analysis-types.ts';

export interface ClaimFilter {
  label: string | undefined;
  /** Only those whose synthesizer was less sure. */
  below: number | undefined;
}

/** The numbers of the claims that are asked for, from 1. */
export function filterClaims(claims: readonly ClaimAnswer[], { label, below }: ClaimFilter): number[] {
  return claims.flatMap(({ verdict }, index) =>
    (label === undefined || verdict.label === label) &&
    (below === undefined || (verdict.confidence !== null && verdict.confidence < below))
      ? [index + 1]
      : [],
  );
}

export function ClaimFilters({
  claims,
  filter,
  onChange,
}: {
  claims: readonly ClaimAnswer[];
  filter: ClaimFilter;
  onChange: (filter: { label?: string; below?: number }) => void;
}) {
  const counts = Map.groupBy(claims, ({ verdict }) => verdict.label);
  const labels = [...counts.keys()].toSorted((one, other) => labelOrder.indexOf(one) - labelOrder.indexOf(other));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="Verdicts to show" className="flex flex-wrap gap-1.5">
        <Choice
          chosen={filter.label === undefined}
          onChoose={() => onChange({ label: undefined })}
          words="All"
          count={claims.length}
        />
        {labels.map((label) => (
          <Choice
            key={label}
            chosen={filter.label === label}
            onChoose={() => onChange({ label: filter.label === label ? undefined : label })}
            words={findLabelLook(label).title}
            count={counts.get(label)!.length}
          />
        ))}
      </div>
      <Field label="Confidence" hideLabel>
        <Select
          className="min-h-8! w-auto py-0! text-sm"
          value={filter.below ?? ''}
          onChange={({ target }) => onChange({ below: target.value === '' ? undefined : Number(target.value) })}
        >
          <option value="">any confidence</option>
          <option value="0.8">confidence below 80 %</option>
          <option value="0.5">confidence below 50 %</option>
        </Select>
      </Field>
    </div>
  );
}

/** One of several kinds to show, with how many there are. */
export function Choice({
  chosen,
  onChoose,
  words,
  count,
}: {
  chosen: boolean;
  onChoose: () => void;
  words: string;
  count: number;
}) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={classes(
        'rounded-full border px-3 py-0.5 text-sm',
        chosen ? 'border-link bg-link text-surface' : 'bg-surface text-ink hover:border-quiet',
      )}
    >
      {words} <span className="tabular-nums">{count}</span>
    </button>
  );
}
