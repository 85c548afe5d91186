export { blockOf, type SeatSettings, type ServerSettings, type Settings } from './schema.ts';
export { readSettings } from './read-settings.ts';
export { llmSettingsOf } from './llm-settings.ts';
export { mergeSettings } from './merge-settings.ts';
export { settingsFromEnvironment, settingVariables, withoutSettings } from './environment.ts';
export { settingsFromFile } from './settings-file.ts';
export { agentsNamed, modelOf, requiredModelOf, seatsFor } from './seats.ts';
export { loadCalibration } from './load-fitted.ts';
export { agonHome, installationSecret } from './installation-secret.ts';
