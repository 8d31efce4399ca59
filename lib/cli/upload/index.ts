export { bucketOf, type DeployedStore, storeLines, storesIn } from './stores';
export { type PlannedUpload, planUpload, upload } from './upload';
