export {
  blockOf,
  listSettings,
  placeValue,
  readTextSetting,
  type SeatSettings,
  type SettingRow,
  type Settings,
} from './table.ts';
export type { OpenIdSettings, ServerSettings } from './server-settings.ts';
export {
  readSettings,
  settingsFromEnvironment,
  withoutSettings,
  llmSettingsOf,
  mergeSettings,
} from './read-settings.ts';
export { describeSettings, type DescribedSetting } from './describe-settings.ts';
export { describeReason, importDefault, settingsFromFile } from './settings-file.ts';
export { agentsNamed, modelOf, requiredModelOf, seatsFor } from './seats.ts';
export { loadCalibration } from './load-fitted.ts';
export { agonHome } from '@agonhq/engine/agon-home';
export { findInstallationSecret, installationSecret, installSecret, sharedSecret } from './installation-secret.ts';
