export { type DemoRequest, type DemoResult, demo, Interrupted } from './demo';
