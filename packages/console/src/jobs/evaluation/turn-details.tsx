import { nameBehaviour, nameObjection } from '@agonhq/judges/evaluation/evaluation-terms';
import { nameSeat, readStance, showPhrase, toRecord } from '@agonhq/engine/view';
import { PlainText } from '../../components/text.tsx';
import type { TrialTurn } from '../../trial/trial-view.ts';

/** What the critic objects to, and what the arbiter says the model did. */
export function TurnDetails({ turn }: { turn: TrialTurn }) {
  const { objections, behaviour } = readStance({ answer: turn.answer });
  return (
    <>
      {Array.isArray(toRecord(turn.answer)['objections']) &&
        (objections.length === 0 ? (
          <p className="text-sm text-quiet">No objection.</p>
        ) : (
          <ul aria-label="Objections" className="grid gap-2 text-sm">
            {objections.map(({ to, kind, point, material }, index) => (
              <li key={index} className="border-l-2 border-both pl-2.5">
                <p>
                  <strong>{showPhrase(nameObjection(kind), nameSeat)}</strong>, to the {to}{' '}
                  <span className="text-quiet">({material ? 'material' : 'minor'})</span>
                </p>
                <p className="words">
                  <PlainText text={point} />
                </p>
              </li>
            ))}
          </ul>
        ))}
      {behaviour !== null && (
        <p className="text-sm text-quiet">What the model did: {showPhrase(nameBehaviour(behaviour)).toLowerCase()}</p>
      )}
    </>
  );
}
