/* What can be done with content, under every policy. Runs in a browser, too. */

/** The actions that every policy knows: their names, and what the notice to the person concerned says of them. */
export const standardActions = {
  remove: { name: 'Remove', notice: 'Your content is removed.' },
  restrict: { name: 'Restrict', notice: 'Your content stays, but is shown to fewer people.' },
  label: { name: 'Label', notice: 'Your content stays, with a label that warns those who see it.' },
  warn: { name: 'Warn', notice: 'Your content stays, and this is a warning to you.' },
  escalate: { name: 'Escalate', notice: 'A person decides what is to be done with your content.' },
  allow: { name: 'Allow', notice: 'Your content stays as it is.' },
} as const;

type StandardAction = keyof typeof standardActions;

export const actionIds = Object.keys(standardActions) as readonly StandardAction[];

/** How grave a clause is, the least first. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** By the severity of a clause that names no action. */
export const defaultActions: Readonly<Record<Severity, StandardAction>> = {
  low: 'label',
  medium: 'restrict',
  high: 'remove',
  critical: 'remove',
};

/** An action by its name: `Remove`; one of a policy's own as it is called there: `Age gate`. */
export function nameAction(id: string): string {
  if (Object.hasOwn(standardActions, id)) return standardActions[id as StandardAction].name;
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a verdict proposes, and how grave it is: `remove (critical severity)`. */
export function describeAction({
  action,
  severity,
}: {
  action?: string | undefined;
  severity?: string | null | undefined;
}): string {
  return `${action ?? 'none'}${severity ? ` (${severity} severity)` : ''}`;
}
