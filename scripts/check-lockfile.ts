import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A lockfile that names a dependency without containing it cannot be installed by `npm ci`. That
// happens when a registry lacks one platform's build of a native package while the lockfile is
// written; it must fail here, not on a user's machine.
interface LockedPackage {
  version?: string;
  /** A package of the workspace. */
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/**
 * Returns whether `name` resolves from `from` as in Node.js: in its own `node_modules`, then in
 * those above.
 */
function isLocked(name: string, from: string): boolean {
  for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
    const locked = packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`];
    if (locked?.version || locked?.link) return true;
    if (base === '') return false;
  }
}

const gaps = Object.entries(packages).flatMap(([path, locked]) =>
  Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
    .filter((name) => !isLocked(name, path))
    .map((name) => `${path || 'the project'} needs ${name}, which the lockfile does not contain`),
);
for (const gap of gaps) process.stdout.write(`${gap}\n`);
process.exitCode = gaps.length === 0 ? 0 : 1;
