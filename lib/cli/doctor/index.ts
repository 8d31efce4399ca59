export { type Check, examine } from './checks';
export { doctorLines } from './report';
