import { CircleCheck, CircleHelp, CircleMinus, CircleX, type LucideIcon } from 'lucide-react';
import { Badge, type Tone } from './badge.tsx';

interface Look {
  tone: Tone;
  words: string;
  sign: LucideIcon;
}

const looks: Record<string, Look> = {
  safe: { tone: 'exoneration', words: 'Safe', sign: CircleCheck },
  unsafe: { tone: 'risk', words: 'Unsafe', sign: CircleX },
  undecided: { tone: 'caution', words: 'Undecided', sign: CircleHelp },
  'verified-strong': { tone: 'exoneration', words: 'Verified', sign: CircleCheck },
  supported: { tone: 'exoneration', words: 'Supported', sign: CircleCheck },
  mixed: { tone: 'caution', words: 'Mixed', sign: CircleMinus },
  contradicted: { tone: 'risk', words: 'Contradicted', sign: CircleX },
  unsupported: { tone: 'quiet', words: 'Unsupported', sign: CircleMinus },
  positive: { tone: 'exoneration', words: 'Positive', sign: CircleCheck },
  negative: { tone: 'risk', words: 'Negative', sign: CircleX },
};

/** What a label is called, and how it looks: never by colour alone. */
export function labelLook(label: string): Look {
  return looks[label] ?? { tone: 'quiet', words: label, sign: CircleMinus };
}

export function LabelBadge({ label }: { label: string | null }) {
  if (label === null) return <Badge>Being judged</Badge>;
  const { tone, words, sign: Sign } = labelLook(label);
  return (
    <Badge tone={tone} className="whitespace-nowrap">
      <Sign aria-hidden className="size-4 flex-none" /> {words}
    </Badge>
  );
}
