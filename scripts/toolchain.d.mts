export function ensureBuilt(node: string): void;
