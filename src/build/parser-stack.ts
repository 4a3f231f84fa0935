/**
 * Stack of the threads that parse MDX. The parser is native and recursive: where it runs out of stack it ends the process,
 * and nothing can catch that. `core/content/source-risk.ts` bounds what is given to it; this leaves room many times over.
 */
export const PARSER_STACK_MB = 64;
