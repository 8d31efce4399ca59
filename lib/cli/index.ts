export { type Deployment, type DeployRequest, deploy } from './deploy';
export type { Host } from './host';
export { main } from './main';
export type { Clients, SeenEvent, Stage, Story, WaitOptions } from './stage';
export { type TailSource, tail } from './tail';
