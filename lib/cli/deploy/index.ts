export { type BundleSize, type Deployment, type DeployRequest, deploy } from './deploy';
export { approveBy, reportDeployment } from './report-deployment';
