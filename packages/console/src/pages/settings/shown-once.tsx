import { Button, CopyButton } from '../../components/button.tsx';

/** A secret that the server tells once. */
export function ShownOnce({ text, what, onDone }: { text: string; what: string; onDone: () => void }) {
  return (
    <>
      <p>Copy it now: the server keeps only its hash, and nobody can be shown this {what} again.</p>
      <p className="rounded-lg border bg-paper p-3 font-mono text-sm break-all">{text}</p>
      <div className="flex gap-2">
        <CopyButton text={text} />
        <Button size="small" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
