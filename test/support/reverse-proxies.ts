import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from './end-with-us.ts';
import { until } from './http.ts';
import { root } from './start-docent.ts';

const NGINX = '/usr/sbin/nginx';
const CADDY = '/usr/bin/caddy';
const APACHE = '/usr/sbin/apache2';
const APACHE_MODULES = [
  'mpm_event',
  'authz_core',
  'dir',
  'mime',
  'alias',
  'headers',
  'rewrite',
  'negotiation',
  'autoindex',
];

export const hasApache = existsSync(APACHE);

/** Whether both are where Debian installs them; without them, their tests are skipped. */
export const hasReverseProxies = [NGINX, CADDY].every(existsSync);

/** A reverse proxy for tests, on ports of the loopback interface. */
export interface ReverseProxy {
  stop(): Promise<void>;
}

/** Starts nginx. @param servers the `server` blocks, which listen on `ports` */
export function startNginx(servers: string, ports: readonly number[]): Promise<ReverseProxy> {
  return start(ports, 'nginx.conf', NGINX, (folder, file) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const lines = ['daemon off;', 'master_process off;', `pid ${folder}/nginx.pid;`, 'events {}'];
    const config = `${lines.join('\n')}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${servers}\n}\n`;
    return { config, args: ['-p', folder, '-e', `${folder}/error.log`, '-c', file] };
  });
}

/** Starts Apache for the files of a folder, whose `.htaccess` it reads. */
export function startApache(root: string, port: number): Promise<ReverseProxy> {
  return start([port], 'apache.conf', APACHE, (folder, file) => {
    const modules = APACHE_MODULES.map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    );
    const config = [
      ...modules,
      `ServerRoot ${folder}`,
      `PidFile ${folder}/pid`,
      `Mutex file:${folder}`,
      `ErrorLog ${folder}/error.log`,
      'ServerName localhost',
      `Listen 127.0.0.1:${port}`,
      'User www-data',
      'Group www-data',
      'TypesConfig /dev/null',
      'AddType text/html .html',
      `DocumentRoot ${root}`,
      `<Directory ${root}>\nAllowOverride All\nRequire all granted\n</Directory>`,
    ];
    return { config: `${config.join('\n')}\n`, args: ['-X', '-f', file] };
  });
}

/** Starts Caddy. @param site what the block of its only site contains */
export function startCaddy(site: string, port: number): Promise<ReverseProxy> {
  return start([port], 'Caddyfile', CADDY, (_folder, file) => {
    const config = `{\n\tadmin off\n\tauto_https off\n}\nhttp://:${port} {\n${site}\n}\n`;
    return { config, args: ['run', '--config', file, '--adapter', 'caddyfile'] };
  });
}

async function start(
  ports: readonly number[],
  name: string,
  program: string,
  prepare: (folder: string, file: string) => { config: string; args: string[] },
): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-proxy-'));
  const { config, args } = prepare(folder, join(folder, name));
  await writeFile(join(folder, name), config);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const exited = once(child, 'exit');
  const unwatch = endWithUs(folder, [child.pid]);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${log}`);
    return (await Promise.all(ports.map(isListening))).every(Boolean) || undefined;
  });
  return {
    async stop() {
      unwatch();
      if (child.exitCode === null && child.kill('SIGKILL')) await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/**
 * Returns the configurations in the documentation of sites below a path, by the name of their file,
 * in their order.
 * @param replacements what stands in place of the names in the documentation
 */
export function documentedConfigurations(
  replacements: Record<string, string>,
): Record<string, string[]> {
  const page = readFileSync(join(root, 'docs/self-hosting/subpath.mdx'), 'utf8');
  const configurations: Record<string, string[]> = {};
  for (const [, indent = '', name = '', code = ''] of page.matchAll(
    /^( *)```\w+ (\S+)\n([\s\S]*?)^ *```$/gm,
  )) {
    const lines = code.split('\n').map((line) => line.slice(indent.length));
    const text = Object.entries(replacements).reduce(
      (written, [from, to]) => written.replaceAll(from, to),
      lines.join('\n'),
    );
    configurations[name] = [...(configurations[name] ?? []), text];
  }
  return configurations;
}
