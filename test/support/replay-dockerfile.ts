import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './start-docent.ts';

interface Instruction {
  name: string;
  text: string;
}

/**
 * An image as a folder and its settings, built by the steps of a Dockerfile without a container.
 */
export interface ReplayedImage {
  /** The folder that represents `/` of the image. */
  folder: string;
  env: Record<string, string>;
  entrypoint: string[];
  user: string;
  /** Converts a path in the image to a path on this machine. */
  pathOf(path: string): string;
}

interface Stage extends ReplayedImage {
  workdir: string;
}

/** Returns the instructions of a Dockerfile, with continued lines joined and without comments. */
function readInstructions(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      name: line.slice(0, line.indexOf(' ')),
      text: line.slice(line.indexOf(' ') + 1).trim(),
    }));
}

/**
 * Converts a line of `.dockerignore`: it also matches everything below a folder, and names that
 * begin with a dot are not special.
 */
function patternOf(line: string): RegExp {
  const parts = line.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').split('**/');
  return new RegExp(
    `^${parts.map((part) => part.replaceAll('*', '[^/]*')).join('(?:.*/)?')}(?:/.*)?$`,
  );
}

/**
 * Returns whether a file is part of the build context: the last line of `.dockerignore` that
 * matches it decides.
 */
export function isSent(path: string): boolean {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  let sent = true;
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    if (patternOf(line.replace(/^!/, '')).test(path)) sent = line.startsWith('!');
  }
  return sent;
}

function copyFromContext(source: string, target: string): void {
  const from = join(root, source);
  if (!existsSync(from)) throw new Error(`COPY ${source}: there is no such file`);
  const files = statSync(from).isDirectory()
    ? readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(join(from, name)).isFile(),
      )
    : [''];
  const sent = files.filter((name) => isSent(posix.join(source, name)));
  if (sent.length === 0) throw new Error(`COPY ${source}: .dockerignore leaves nothing of it`);
  for (const name of sent)
    cpSync(join(from, name), name === '' ? target : join(target, name), { recursive: true });
}

/**
 * Replaces an `npm ci`: links what npm says that it would install, from what is installed here.
 * Unpacking it takes 15 s of CPU.
 */
function linkPackages(app: string, command: string): void {
  const sh = (input: string) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-e'], {
      cwd: app,
      input,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
    return stdout;
  };
  sh('rm -rf node_modules packages/*/node_modules');
  const added = new Set(sh(`${command} --dry-run`).match(/(?<=^add ).+$/gm));
  const { packages } = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; version?: string; resolved?: string }>;
  };
  const places = Object.entries(packages).flatMap(([place, { dev, version, resolved = '' }]) => {
    const name = /.*node_modules\/(.+)/.exec(place)?.[1];
    return !dev && added.has(`${name} ${version ?? packages[resolved]?.version}`) ? [place] : [];
  });
  sh(
    places
      .map(
        (place) =>
          `mkdir -p '${dirname(place)}'; [ -e '${place}' ] || cp -al '${join(root, place)}' '${place}'`,
      )
      .join('\n'),
  );
}

function run(stage: Stage, command: string): void {
  if (command.startsWith('npm ci ')) {
    linkPackages(stage.pathOf(stage.workdir), command);
    return;
  }
  // Every path of the image in the command becomes one below the folder; the owner of files cannot
  // be changed here. A site of three pages fills the cache of compiled code as the documentation does.
  const here = command
    .replaceAll(/(?<=^|[\s='"])\/(?:app|tmp|var|usr)(?=\/|\s|$)/g, (path) => stage.pathOf(path))
    .replace(' export docs ', ` export ${join(root, 'test/sites/small')} `);
  // The image's Node.js is the one that runs this.
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME,
    npm_config_prefer_offline: 'true',
    ...mapped(stage),
  };
  const done = spawnSync('sh', ['-e', '-c', `chown() { :; }\n${here}`], {
    cwd: stage.pathOf(stage.workdir),
    env,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`RUN ${command}\n${done.stdout}${done.stderr}`);
}

/** Returns the environment of the image, with its folders on this machine. */
function mapped({ env, pathOf }: ReplayedImage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.startsWith('/') ? pathOf(value) : value,
    ]),
  );
}

function openStage(folder: string): Stage {
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  return {
    folder,
    env: {},
    entrypoint: [],
    user: '',
    workdir: '/',
    pathOf: (path) => join(folder, path),
  };
}

function copy(stage: Stage, text: string, stages: Map<string, Stage>): void {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() as string;
  for (const source of paths) {
    const place = target.endsWith('/') ? join(target, posix.basename(source)) : target;
    const into = stage.pathOf(posix.resolve(stage.workdir, place));
    mkdirSync(dirname(into), { recursive: true });
    if (from === undefined) copyFromContext(source, into);
    // A link is as good as a copy: nothing is written into existing files.
    else if (
      spawnSync('cp', ['-al', (stages.get(from) as Stage).pathOf(source), into]).status !== 0
    )
      throw new Error(`COPY ${text}`);
  }
}

/** Executes the Dockerfile in a folder like a builder, and returns the last stage. */
export function replayDockerfile(folder: string): ReplayedImage {
  const stages = new Map<string, Stage>();
  let stage = openStage(join(folder, 'none'));
  for (const { name, text } of readInstructions(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    if (name === 'FROM') {
      const alias = / AS (\S+)$/.exec(text)?.[1] ?? 'last';
      stage = openStage(join(folder, alias));
      stages.set(alias, stage);
    } else if (name === 'WORKDIR') {
      stage.workdir = text;
      mkdirSync(stage.pathOf(text), { recursive: true });
    } else if (name === 'COPY') copy(stage, text, stages);
    else if (name === 'RUN') run(stage, text);
    else if (name === 'ENV')
      for (const [, key, value] of text.matchAll(/(\w+)=(\S+)/g))
        stage.env[key as string] = value as string;
    else if (name === 'USER') stage.user = text;
    else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(text) as string[];
    else if (!['ARG', 'LABEL', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'].includes(name))
      throw new Error(`${name} is not replayed`);
  }
  return stage;
}
