import { execFile } from 'node:child_process';
import { HeadraceError } from '../../contract/errors';

export interface PythonFacts {
  readonly version: readonly [number, number, number];
  /** Debian ships Python without what makes virtual environments. */
  readonly canMakeVenv: boolean;
}

/** Asks a command which Python it is; undefined when it is none. */
export type PythonProbe = (command: string) => Promise<PythonFacts | undefined>;

const OLDEST_MINOR = 11;
const CANDIDATES = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python'];
const QUESTION = `
import importlib.util as u, json, sys
print(json.dumps({"version": sys.version_info[:3], "canMakeVenv": all(map(u.find_spec, ("venv", "ensurepip")))}))
`;

export const probePython: PythonProbe = (command) =>
  new Promise((resolve) => {
    execFile(command, ['-I', '-c', QUESTION], { timeout: 10_000 }, (error, stdout) => {
      try {
        resolve(error ? undefined : (JSON.parse(stdout) as PythonFacts));
      } catch {
        resolve(undefined);
      }
    });
  });

/** The Python to build the environment with: `HEADRACE_PYTHON`, else the newest one on the path. */
export async function findPython(env: NodeJS.ProcessEnv, probe: PythonProbe = probePython): Promise<string> {
  const wanted = env.HEADRACE_PYTHON;
  const seen: string[] = [];
  for (const command of wanted ? [wanted] : CANDIDATES) {
    const facts = await probe(command);
    const flaw = facts === undefined ? 'does not run' : flawOf(facts);
    if (flaw === undefined) return command;
    if (facts !== undefined || wanted) seen.push(`${command} ${flaw}`);
  }
  throw unusable(seen, wanted);
}

function flawOf({ version: [major, minor, patch], canMakeVenv }: PythonFacts): string | undefined {
  if (major !== 3 || minor < OLDEST_MINOR) return `is ${major}.${minor}.${patch}`;
  return canMakeVenv ? undefined : `is ${major}.${minor}.${patch} without the venv module`;
}

function unusable(seen: readonly string[], wanted: string | undefined): HeadraceError {
  const lacksVenv = seen.find((line) => line.endsWith('venv module'));
  const install =
    'Install Python 3.11 or newer (macOS: brew install python; Debian, Ubuntu: apt install python3 python3-venv)';
  return new HeadraceError('HR401', {
    what: wanted
      ? 'HEADRACE_PYTHON names no usable Python.'
      : 'The local target needs Python, and none that fits was found.',
    got: seen.join(', ') || `none of ${CANDIDATES.join(', ')} on the path`,
    allowed: `Python 3.${OLDEST_MINOR} or newer with the venv module`,
    next: lacksVenv
      ? 'Install the venv module (Debian, Ubuntu: apt install python3-venv), or name another Python in HEADRACE_PYTHON.'
      : `${install}, or name one in HEADRACE_PYTHON.`,
  });
}
