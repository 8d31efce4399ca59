export { filterPattern, type TailFilter } from './filter-pattern';
export { type DefaultBusRule, type TailSource, tail } from './tail';
export { uploadRules } from './upload-rules';
