import type { Diagnostic } from '@docent/format/diagnostics.ts';

/** A page for some readers, of a site without sign-in. */
export function restrictedPage(path: string, file: string): Diagnostic {
  return {
    severity: 'error',
    code: 'restricted-page',
    message: `The page ${path} is not published: "groups" restricts it to some readers, and readers cannot sign in to this site.`,
    remedy:
      'Remove "groups" to publish the page for everybody, or list it in .docentignore to leave it out.',
    file,
  };
}

/** A page whose `groups` are not a list of names. */
export function unreadableGroups(path: string, file: string): Diagnostic {
  return {
    severity: 'error',
    code: 'restricted-page',
    message: `The page ${path} is not published: no group can be read in its "groups".`,
    remedy: 'Write a list of names: groups: ["staff", "partners"].',
    file,
  };
}
