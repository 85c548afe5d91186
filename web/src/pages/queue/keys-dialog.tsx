import { Dialog } from '../../components/dialog.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { submitKey } from './decide-form.tsx';

const keys: readonly [key: string, does: string][] = [
  ['S', 'Safe'],
  ['U', 'Unsafe'],
  ['C', 'Search the policy: type, arrows, Enter'],
  ['R', 'Write the reason'],
  [submitKey, 'Put the decision on record'],
  ['Esc', 'Leave a field, so that letters are keys again'],
  ['N', 'Skip, or go on to the next case'],
  ['B', 'Show or blur images'],
  ['?', 'These keys'],
];

export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog title="Keys" open={open} onOpenChange={onOpenChange}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <KeyHint>{key}</KeyHint>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
