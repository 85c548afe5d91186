import { nameAction } from '@agonhq/engine/view';
import { Badge } from './badge.tsx';
import type { ColourTone } from './tones.ts';

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
