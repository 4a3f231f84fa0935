declare module 'docent:icons' {
  const icons: Record<import('./icon-names.ts').IconName, string>;
  export default icons;
}

declare module 'docent:loaded' {
  /** The modules that were loaded on demand, by their paths in `packages/dashboard/src`. */
  export const loaded: Set<string>;
}
