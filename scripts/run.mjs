// The door of the npm scripts that need tools for development: `node scripts/run.mjs test | node <file> …`.
import { join } from 'node:path';
import { become, ensureBuilt, ensureDependencies, ensureNode, giveUp, root } from './toolchain.mjs';

const [task, ...args] = process.argv.slice(2);
const node = ensureNode();
ensureDependencies(node, { development: true });

if (task === 'test') {
  ensureBuilt(node);
  become(node, [join(root, 'scripts/test.ts'), ...args]);
} else if (task === 'node') {
  become(node, args);
} else {
  giveUp(`unknown task "${task ?? ''}"; use test or node`);
}
