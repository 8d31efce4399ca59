import { findPython, type PythonFacts } from '../../lib/target/local/python';

const python = (minor: number, canMakeVenv = true): PythonFacts => ({ version: [3, minor, 2], canMakeVenv });
const probing = (found: Record<string, PythonFacts>) => async (command: string) => found[command];

describe('findPython', () => {
  test('takes the newest version by name before plain python3', async () => {
    const probe = probing({ python3: python(11), 'python3.12': python(12), 'python3.13': python(13) });
    await expect(findPython({}, probe)).resolves.toBe('python3.13');
  });

  test('takes plain python3 when it is new enough', async () => {
    await expect(findPython({}, probing({ python3: python(11) }))).resolves.toBe('python3');
  });

  test('passes over a Python without the venv module', async () => {
    const probe = probing({ 'python3.13': python(13, false), 'python3.11': python(11) });
    await expect(findPython({}, probe)).resolves.toBe('python3.11');
  });

  test('HEADRACE_PYTHON decides alone', async () => {
    const probe = probing({ '/opt/py': python(11), 'python3.13': python(13) });
    await expect(findPython({ HEADRACE_PYTHON: '/opt/py' }, probe)).resolves.toBe('/opt/py');
  });

  test('fails when there is none, saying which versions are allowed', async () => {
    await expect(findPython({}, probing({}))).rejects.toThrow(
      /HR401.*none of python3\.14.*Python 3\.11 or newer.*Install/,
    );
  });

  test('fails when all are too old, naming what was found', async () => {
    const probe = probing({ python3: python(10), python: { version: [2, 7, 18], canMakeVenv: false } });
    await expect(findPython({}, probe)).rejects.toThrow(/HR401.*python3 is 3\.10\.2, python is 2\.7\.18/);
  });

  test('fails when only the venv module is missing, naming the package to install', async () => {
    await expect(findPython({}, probing({ python3: python(12, false) }))).rejects.toThrow(
      /HR401.*without the venv module.*apt install python3-venv/,
    );
  });

  test('fails when HEADRACE_PYTHON does not run, even if others would', async () => {
    const probe = probing({ 'python3.13': python(13) });
    await expect(findPython({ HEADRACE_PYTHON: '/gone' }, probe)).rejects.toThrow(
      /HR401 *\] *HEADRACE_PYTHON.*\/gone does not run/,
    );
  });
});
