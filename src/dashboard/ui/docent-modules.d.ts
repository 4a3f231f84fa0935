declare module 'docent:icons' {
  const icons: Record<import('./icon-names.ts').IconName, string>;
  export default icons;
}

/** Whether the build is for those who work on the dashboard. */
declare const DOCENT_DEVELOPMENT: boolean;
