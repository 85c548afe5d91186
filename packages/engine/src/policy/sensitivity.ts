import { z } from 'zod';

/** How soon something is called unsafe, in plain words; each stands for a bar that was fitted with the model. */
export const sensitivities = ['low', 'balanced', 'high'] as const;
export type Sensitivity = (typeof sensitivities)[number];

/** What holds where nobody says otherwise; a configuration that has it is the one it was before there were others. */
export const defaultSensitivity = 'balanced' satisfies Sensitivity;

/** A sensitivity as settings, policies and requests name it. */
export const sensitivitySchema = z.enum(sensitivities, 'must be low, balanced or high');

/** What a setting of the user's and the policy make together: the setting wins. */
export function chooseSensitivity(
  setting: Sensitivity | undefined,
  policy: { sensitivity?: Sensitivity | undefined },
): Sensitivity {
  return setting ?? policy.sensitivity ?? defaultSensitivity;
}

/** The same as a part of what is hashed: nothing for the default. */
export function partOfHash(sensitivity: Sensitivity): { sensitivity?: Sensitivity } {
  return sensitivity === defaultSensitivity ? {} : { sensitivity };
}
