import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { showToast } from './toasts.tsx';

export function CopyButton({ text, children = 'Copy' }: { text: string; children?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast('Copied.');
    } catch {
      showToast('The browser does not let us copy: mark it and copy it by hand.', 'bad');
    }
  };
  return (
    <Button size="small" onClick={() => void copy()}>
      <Copy aria-hidden className="size-4" /> {children}
    </Button>
  );
}
