import { delimiter, dirname, join } from 'node:path';
import { keptFolder } from './kept-state';

export interface ServerSettings {
  readonly folder: string;
  readonly port: number;
  readonly region: string;
  /** Whether everything comes back with the next start. */
  readonly keepState: boolean;
  /** Further MiniStack settings, such as `SFN_WAIT_SCALE`. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The server's whole environment. Its Lambda workers inherit it, so nothing of the user's shell gets in but the path,
 * least of all credentials; and they are run by the first `node` on the path, which is the one that runs us.
 */
export function serverEnvironment(server: ServerSettings, shell: NodeJS.ProcessEnv): Record<string, string> {
  const path = [dirname(process.execPath), shell.PATH || '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  return {
    ...(shell.HOME && { HOME: shell.HOME }),
    LANG: shell.LANG || 'C.UTF-8',
    PATH: path,
    TMPDIR: join(server.folder, 'tmp'),
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(server.port),
    IOT_MTLS_ENABLED: '0',
    LAMBDA_EXECUTOR: 'local',
    MINISTACK_REGION: server.region,
    STATE_DIR: keptFolder(server.folder),
    S3_DATA_DIR: join(keptFolder(server.folder), 's3'),
    ...(server.keepState && { PERSIST_STATE: '1', S3_PERSIST: '1' }),
    ...server.settings,
  };
}
