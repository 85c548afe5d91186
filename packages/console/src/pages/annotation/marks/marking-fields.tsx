import { Checkbox, InputField, SelectField } from '../../../components/field.tsx';

/** What a new project asks for beside the label. */
export interface MarkingOrder {
  asked: boolean;
  /** Divided by commas; the clauses of the policy where it is empty. */
  tags: string;
  severity: 'policy' | 'none';
}

export const noMarking: MarkingOrder = { asked: false, tags: '', severity: 'policy' };

/** As the API takes it. */
export function orderMarking({ asked, tags, severity }: MarkingOrder) {
  if (!asked) return {};
  const own = [
    ...new Set(
      tags
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
  return {
    marking: { ...(own.length === 0 ? {} : { tags: own }), ...(severity === 'none' ? { severities: [] } : {}) },
  };
}

interface MarkingFieldsProps {
  order: MarkingOrder;
  onChange: (order: MarkingOrder) => void;
}

export function MarkingFields({ order, onChange }: MarkingFieldsProps) {
  return (
    <div className="grid gap-4 rounded-xl border p-4">
      <Checkbox
        label="Also ask for tags, severity and marks"
        checked={order.asked}
        onChange={(event) => onChange({ ...order, asked: event.target.checked })}
      />
      {order.asked && (
        <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
          <InputField
            label="Tags"
            hint="Separated by commas; any number may apply to an item. Leave it empty for the clauses of the policy."
            placeholder="The clauses of the policy"
            value={order.tags}
            onChange={(tags) => onChange({ ...order, tags })}
          />
          <SelectField
            label="Severity"
            value={order.severity}
            onChange={(severity) => onChange({ ...order, severity: severity === 'none' ? 'none' : 'policy' })}
            options={[
              ['policy', 'low to critical'],
              ['none', 'Not asked for'],
            ]}
          />
        </div>
      )}
    </div>
  );
}
