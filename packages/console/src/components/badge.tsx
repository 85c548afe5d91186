import type { ComponentProps, ReactNode } from 'react';
import { classes, panels, texts, type ColourTone } from './tones.ts';
import { CircleCheck, CircleHelp, CircleMinus, CircleSlash, CircleX, type LucideIcon } from 'lucide-react';
import type { CaseRow } from '../api/client.ts';
import { nameAction } from '@agonhq/engine/view';
import { PlainText } from './text.tsx';

interface LabelLook {
  tone: ColourTone;
  title: string;
  icon: LucideIcon;
}

const looks: Record<string, LabelLook> = {
  safe: { tone: 'exoneration', title: 'Safe', icon: CircleCheck },
  unsafe: { tone: 'risk', title: 'Unsafe', icon: CircleX },
  undecided: { tone: 'caution', title: 'Undecided', icon: CircleHelp },
  'verified-strong': { tone: 'exoneration', title: 'Verified', icon: CircleCheck },
  supported: { tone: 'exoneration', title: 'Supported', icon: CircleCheck },
  mixed: { tone: 'caution', title: 'Mixed', icon: CircleMinus },
  contradicted: { tone: 'risk', title: 'Contradicted', icon: CircleX },
  unsupported: { tone: 'quiet', title: 'Unsupported', icon: CircleMinus },
  positive: { tone: 'exoneration', title: 'Positive', icon: CircleCheck },
  negative: { tone: 'risk', title: 'Negative', icon: CircleX },
};

/** What a label is called, and how it looks: never by colour alone. */
export function findLabelLook(label: string): LabelLook {
  const title = label.slice(0, 1).toUpperCase() + label.slice(1).replaceAll('-', ' ');
  return (Object.hasOwn(looks, label) && looks[label]) || { tone: 'quiet', title, icon: CircleMinus };
}

interface LabelBadgeProps {
  label: string | null;
  /** Of a case without a label: whether somebody works on it. */
  state?: CaseRow['state'];
}

export function LabelBadge({ label, state = 'judging' }: LabelBadgeProps) {
  if (label === null)
    return state === 'judging' ? (
      <Badge>Being judged</Badge>
    ) : (
      <Badge tone="caution" icon={CircleSlash} className="whitespace-nowrap">
        Interrupted
      </Badge>
    );
  const { tone, title, icon } = findLabelLook(label);
  return (
    <Badge tone={tone} icon={icon} {...(Object.hasOwn(looks, label) ? { className: 'whitespace-nowrap' } : {})}>
      {title}
    </Badge>
  );
}

interface BadgeProps {
  tone?: ColourTone;
  icon?: LucideIcon;
  children: ReactNode;
  className?: string;
}

export function Badge({ tone = 'quiet', icon: Icon, children, className }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 max-w-full rounded-2xl border px-2.5 py-0.5 text-sm leading-5 font-medium',
        panels[tone],
        texts[tone],
        className,
      )}
    >
      {Icon && <Icon aria-hidden className="size-4 flex-none" />} {children}
    </span>
  );
}

/** What a clause says, where the policy is at hand. */
export function ClauseText({ text }: { text: string | null }) {
  return (
    text !== null && (
      <span className="words ml-1.5 text-sm text-quiet">
        <PlainText text={text} />
      </span>
    )
  );
}

interface LabelRadioProps extends ComponentProps<'input'> {
  label: string;
  look: string;
}

/** A label to choose, as it looks elsewhere; `children` stand behind it. */
export function LabelRadio({ label, look, children, ...rest }: LabelRadioProps) {
  const { title, icon: Icon } = findLabelLook(label);
  return (
    <label
      className={classes(
        'flex items-center rounded-lg border has-checked:border-link has-checked:bg-implicit-ground',
        'has-focus-visible:outline-3 has-focus-visible:outline-link',
        look,
      )}
    >
      <input type="radio" className="sr-only" {...rest} />
      <Icon aria-hidden className="flex-none" /> <span className="words min-w-0 flex-1">{title}</span> {children}
    </label>
  );
}

const tones: Record<string, ColourTone> = {
  remove: 'risk',
  restrict: 'caution',
  label: 'caution',
  warn: 'caution',
  escalate: 'implicit',
  allow: 'exoneration',
};

/** What is to be done with content, or was decided on. */
export function ActionBadge({ action }: { action: string }) {
  return <Badge tone={tones[action] ?? 'quiet'}>{nameAction(action)}</Badge>;
}
