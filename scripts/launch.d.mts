/** Types of `launch.mjs` for the tests, which start processes as it does. */
export function flagsFor(command: string): string[];
export function mainOf(folder: string): string;
