import { type Bar, type Chart as BlockChart, formatPercentEstimate, writePercent } from '@agonhq/bench/report/block';
import { shortenCharacters } from '@agonhq/engine/text';
import { AxisText, Chart, Drawing, roundPlace } from './plot.tsx';

const looks: Record<Bar['tone'], { title: string; fill: string }> = {
  judge: { title: 'a judge of the same family', fill: 'fill-risk-ground stroke-risk' },
  debate: { title: 'the debate', fill: 'fill-exoneration-ground stroke-exoneration' },
  other: { title: 'another evaluator', fill: 'fill-line stroke-quiet' },
};
const barHeight = 14;

/** Bars from left to right, each with its interval: in groups under their labels, or one behind each. */
export function BarsPlot({ title, groups }: Extract<BlockChart, { kind: 'bars' }>) {
  const single = groups.every(({ bars }) => bars.length === 1);
  const beside = single && groups.every(({ label }) => label.length <= 24);
  const left = beside ? 20 + 7 * Math.max(0, ...groups.map(({ label }) => label.length)) : 8;
  const [width, right] = beside ? [440, 388] : [500, 430];
  const across = (share: number) => roundPlace(left + (right - left) * share);
  let bottom = 10;
  const placed = groups.map((group) => {
    const top = bottom;
    const first = beside ? top : top + 20;
    bottom = first + group.bars.length * (barHeight + 5) + (beside ? 3 : 6);
    return { ...group, label: shortenCharacters(group.label, 64), top, first };
  });
  const tones = [...new Set(groups.flatMap(({ bars }) => bars.map(({ tone }) => tone)))];
  return (
    <Chart title={title} legend={single ? null : tones.map((tone) => <ToneSample key={tone} tone={tone} />)}>
      <Drawing
        title={title}
        description={placed.flatMap(({ label, bars }) =>
          bars.map(
            ({ name, estimate, mark = '' }) =>
              `${single ? '' : `${label}, `}${shortenCharacters(name, 64)}: ${formatPercentEstimate(estimate)}${mark}.`,
          ),
        )}
        size={[width, bottom + 30]}
        className="max-w-xl"
      >
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <path className="stroke-line" d={`M${across(share)} 6V${bottom}`} />
            <AxisText x={across(share)} y={bottom + 18} text={share * 100} />
          </g>
        ))}
        {placed.map(({ label, bars, top, first }, place) => (
          <g key={place}>
            <text
              className="fill-ink text-[13px] font-semibold"
              x={beside ? left - 8 : left}
              y={top + (beside ? 11 : 13)}
              textAnchor={beside ? 'end' : 'start'}
            >
              {label}
            </text>
            {bars.map((bar, number) => (
              <OneBar key={number} bar={bar} top={first + number * (barHeight + 5)} across={across} />
            ))}
          </g>
        ))}
      </Drawing>
    </Chart>
  );
}

function ToneSample({ tone }: { tone: Bar['tone'] }) {
  return (
    <span>
      <svg className="inline size-3.5" viewBox="0 0 14 14" aria-hidden>
        <rect className={looks[tone].fill} x={1} y={1} width={12} height={12} rx={2} />
      </svg>{' '}
      {looks[tone].title}
    </span>
  );
}

function OneBar({ bar, top, across }: { bar: Bar; top: number; across: (share: number) => number }) {
  const { tone, estimate, mark = '' } = bar;
  const { value, interval } = estimate;
  const [left, middle] = [across(0), top + barHeight / 2];
  if (value === null)
    return (
      <text className="fill-quiet text-xs" x={left} y={top + 11}>
        nothing to measure
      </text>
    );
  const [low, high] = interval ? interval.map(across) : [across(value), across(value)];
  const length = roundPlace(Math.max(1, across(value) - left));
  return (
    <>
      <rect className={looks[tone].fill} strokeWidth={1.5} x={left} y={top} width={length} height={barHeight} rx={2} />
      {interval && (
        <path
          className="fill-none stroke-ink"
          strokeWidth={1.5}
          d={`M${low} ${middle}H${high}M${low} ${middle - 4}v8M${high} ${middle - 4}v8`}
        />
      )}
      <text className="fill-ink text-xs font-semibold" x={Math.max(high!, across(value)) + 7} y={middle + 4}>
        {writePercent(value)}
        {mark}
      </text>
    </>
  );
}
