// `node install-progress.mjs <node_modules> <total>`: says how many packages are there already, until it is ended. A process of its
// own, because the set-up waits for npm.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [folder, total] = process.argv.slice(2);
const isTerminal = process.stderr.isTTY === true;

function count() {
  if (!existsSync(folder)) return 0;
  // npm unpacks each into a folder whose name begins with a dot.
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const scopes = names.filter((name) => name.startsWith('@'));
  return (
    names.length -
    scopes.length +
    scopes.reduce((sum, scope) => sum + readdirSync(join(folder, scope)).length, 0)
  );
}

let reported = '';
function report() {
  const text = `  ${Math.min(count(), Number(total))} of ${total} packages`;
  if (text !== reported) process.stderr.write(isTerminal ? `\r${text}` : `${text}\n`);
  reported = text;
}

report();
// A terminal shows one line that changes; a log gets a new one now and then.
setInterval(report, isTerminal ? 300 : 10_000);
process.on('SIGTERM', () => {
  if (isTerminal) process.stderr.write('\r\u001B[K');
  process.exit();
});
