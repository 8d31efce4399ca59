#!/usr/bin/env node
import Module, { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

Module.enableCompileCache?.();
// A project's declarations are TypeScript, so tsx is needed here whether Headrace itself is compiled or not.
register();

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
// A published package lies in a node_modules folder and has its compiled files; a checkout runs from its sources.
const fromSource = !root.split(sep).includes('node_modules');

if (fromSource) useSources();
require(fromSource ? '../bin/headrace.ts' : '../dist/bin/headrace.js');

/**
 * In a checkout `headrace/<part>` means `lib/<part>`. Node can be told so by `--conditions=source`, but only when it
 * starts: that would be a second process, with signals to forward and orphans to fear.
 */
function useSources() {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) => {
    const part = /^headrace\/([a-z]+)$/.exec(request)?.[1];
    return resolve(part ? join(root, 'lib', part, 'index.ts') : request, ...rest);
  };
}
