export type { Clients, SeenEvent, Stage, Story, WaitOptions } from './stage';
