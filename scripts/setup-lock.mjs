// Plain JavaScript that any Node.js from version 20 on can run.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

const POLL_MS = 200;
/**
 * After this time the lock of a process on another machine, which cannot be asked, is taken for a
 * leftover.
 */
const FOREIGN_LOCK_MS = 30 * 60_000;
/** Taking over a leftover lock takes milliseconds. */
const TAKEOVER_MS = 10_000;

/**
 * Runs `task` while no other process holds the lock; waits for one that does. A process that was
 * killed leaves its lock behind, and the next one takes it over.
 * @param {string} path of the lock's file
 * @param {() => void} onWait called once if another process holds the lock
 * @param {() => Result} task
 * @returns {Result} of the task
 * @template Result
 */
export function withLock(path, onWait, task) {
  mkdirSync(dirname(path), { recursive: true });
  for (let hasWaited = false; !tryLock(path); hasWaited = true) {
    if (!hasWaited) onWait();
    sleep(POLL_MS);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return task();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryLock(path) {
  if (create(path)) return true;
  if (!isLeftover(path)) return false;
  // Only one process at a time may remove a leftover: a second one would remove the new lock of the
  // first.
  const takeover = `${path}.takeover`;
  if (!create(takeover)) {
    if (ageOf(takeover) > TAKEOVER_MS) rmSync(takeover, { force: true });
    return false;
  }
  try {
    if (isLeftover(path)) rmSync(path, { force: true });
  } finally {
    rmSync(takeover, { force: true });
  }
  return create(path);
}

/** Creates the file of a lock; returns false if it exists. */
function create(path) {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isLeftover(path) {
  const [pid, ...host] = read(path).split(' ');
  // Empty while its process is writing it, and if it was released meanwhile.
  if (pid === '') return ageOf(path) > TAKEOVER_MS;
  return host.join(' ') === hostname() ? !isRunning(Number(pid)) : ageOf(path) > FOREIGN_LOCK_MS;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** In milliseconds; 0 if there is no such file. */
function ageOf(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return error.code === 'EPERM';
  }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
