import { known } from '../../../../src/jobs/evaluation/report/words.ts';
import { PlainText } from '../../components/plain-text.tsx';
import { toRecord, toText, type TurnView } from '../../trial/trial-view.ts';

interface Objection {
  to: string;
  kind: string;
  point: string;
  material: boolean;
}

/** What the critic objects to, and what the arbiter says the model did. */
export function TurnDetails({ turn: { answer } }: { turn: TurnView }) {
  const { objections, behaviour } = toRecord(answer);
  const done = toText(behaviour);
  return (
    <>
      {Array.isArray(objections) && <Objections objections={objections.map(readObjection)} />}
      {done !== null && <p className="text-sm text-quiet">What the model did: {known.behaviour(done).toLowerCase()}</p>}
    </>
  );
}

function Objections({ objections }: { objections: readonly Objection[] }) {
  if (objections.length === 0) return <p className="text-sm text-quiet">No objection.</p>;
  return (
    <ul aria-label="Objections" className="grid gap-2 text-sm">
      {objections.map(({ to, kind, point, material }, index) => (
        <li key={index} className="border-l-2 border-both pl-2.5">
          <p>
            <strong>{known.objection(kind)}</strong>, to the {to}{' '}
            <span className="text-quiet">({material ? 'material' : 'minor'})</span>
          </p>
          <p className="words">
            <PlainText text={point} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function readObjection(value: unknown): Objection {
  const { to, kind, point, material } = toRecord(value);
  return {
    to: toText(to) ?? '',
    kind: toText(kind) ?? '',
    point: toText(point) ?? '',
    material: material === true,
  };
}
