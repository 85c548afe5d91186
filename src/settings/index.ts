export { type ModerationSettings, type SeatSettings, type Settings } from './schema.ts';
export { readSettings } from './read-settings.ts';
export { mergeSettings } from './merge-settings.ts';
export { settingsFromEnvironment } from './environment.ts';
export { settingsFromFile } from './settings-file.ts';
export { modelOf, paperSeats, requiredModelOf, type SeatName } from './seats.ts';
export { loadCalibration } from './load-calibration.ts';
export { installationSecret } from './installation-secret.ts';
