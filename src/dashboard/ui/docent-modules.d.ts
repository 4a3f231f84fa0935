declare module 'docent:icons' {
  const icons: Record<import('./icon-names.ts').IconName, string>;
  export default icons;
}

declare module 'docent:loaded' {
  /** The modules that were loaded on demand, by their paths in `src/dashboard`. */
  export const loaded: Set<string>;
}
