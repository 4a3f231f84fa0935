/** Storage key of the reader's choice of light or dark. */
export const APPEARANCE_KEY = 'docent-appearance';
/** Storage key of the hash of the last dismissed banner. */
export const BANNER_KEY = 'docent-banner';
/** Path of the redirect page for authorization servers, from the root of the site. */
export const OAUTH_PAGE = '_docent/oauth.html';
