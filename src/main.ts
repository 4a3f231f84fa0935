import { runProgram } from './cli/program.ts';

process.exitCode = await runProgram(process.argv.slice(2), process.env);
