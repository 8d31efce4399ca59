export { AwsTarget } from './aws-target';
export { cacheFolder } from './cache-folder';
export { EMULATOR_ACCOUNT, environmentFor } from './emulator-access';
export { EmulatorTarget } from './emulator-target';
export { callFunctionUrl, type UrlAnswer, type UrlCall } from './function-url';
export { describeGaps, GAPS, type Gap, gapsTable } from './gaps';
export { LocalTarget, type LocalTargetOptions } from './local/local-target';
export { resolveTarget, type TargetOptions } from './resolve-target';
export type { ClientConfig, Health, StartOptions, Target } from './target';
