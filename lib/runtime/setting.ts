import { HeadraceError } from '../contract';
import { platform } from './platform';

/** Reads a setting of the function's environment. @throws HeadraceError HR301 naming the missing variable */
export function setting(name: string): string {
  const value = platform().env(name);
  if (value) return value;
  throw new HeadraceError('HR301', {
    what: `The environment variable ${name} is not set.`,
    next: 'Deploy with the Pipeline construct, which sets it, or set it in the test.',
  });
}
