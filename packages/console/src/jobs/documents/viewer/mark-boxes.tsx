import { classes, type MarkTone } from '../../../components/tones.ts';
import { sideTitles, sideTones } from '../analysis-types.ts';
import type { Highlight } from './highlights.ts';
import type { PageArea } from './locate-words.ts';

/* Over the picture of a page, which is white in dark mode, too: a tint that keeps the letters readable, and a line. */
const tones: Record<MarkTone, string> = {
  risk: 'bg-risk/25 shadow-[0_2px_0_var(--risk)]',
  exoneration: 'bg-exoneration/25 shadow-[0_2px_0_var(--exoneration)]',
  implicit: 'bg-implicit/25 shadow-[0_2px_0_var(--implicit)]',
  both: 'bg-both/15 shadow-[0_2px_0_var(--both)]',
  caution: 'bg-caution/15 shadow-[0_2px_0_var(--caution)]',
};

/** A citation on a page: one box a line. The first can be pressed by those who have no mouse. */
export function MarkBoxes({
  highlight,
  areas,
  within,
  active,
  onPick,
}: {
  highlight: Highlight;
  areas: readonly PageArea[];
  within: { width: number; height: number };
  active: boolean;
  onPick: (id: string) => void;
}) {
  const { id, side, title } = highlight;
  const pick = () => onPick(id);
  return areas.map(({ x, y, width, height }, index) => {
    const look = classes(
      'absolute cursor-pointer rounded-xs p-0 mix-blend-multiply',
      tones[sideTones[side]],
      active ? 'z-10 outline-2 outline-offset-2 outline-link' : null,
    );
    const style = {
      left: `${(x / within.width) * 100}%`,
      top: `${(y / within.height) * 100}%`,
      width: `${(width / within.width) * 100}%`,
      height: `${(height / within.height) * 100}%`,
    };
    if (index === 0)
      return (
        <button
          key={index}
          type="button"
          className={look}
          style={style}
          onClick={pick}
          title={title}
          aria-label={`${title}, ${sideTitles[side]}`}
          aria-pressed={active}
          data-mark={id}
          data-active={active || undefined}
        />
      );
    return (
      <div
        key={index}
        className={look}
        style={style}
        onClick={pick}
        title={title}
        data-mark={id}
        data-active={active || undefined}
      />
    );
  });
}
