import { runProgram } from './program.ts';

/**
 * What is still open after this time, such as a connection whose other end is gone, does not keep
 * the process.
 */
const LINGER_MS = 3000;

process.exitCode = await runProgram(process.argv.slice(2), process.env);
setTimeout(() => process.exit(), LINGER_MS).unref();
