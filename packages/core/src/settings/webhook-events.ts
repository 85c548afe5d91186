/** What a server tells others of: those who listen to it, and webhooks. */
export const webhookEvents = [
  'verdict',
  'escalation',
  'decision',
  'overdue',
  'run-ended',
  'alert-raised',
  'alert-ended',
] as const;
