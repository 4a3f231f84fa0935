/** Where the reader's choice of light or dark is kept in the browser. */
export const APPEARANCE_KEY = 'docent-appearance';
/** Where the hash of the last dismissed announcement is kept in the browser. */
export const BANNER_KEY = 'docent-banner';
/** Where the page stands that an authorization server sends readers back to, from the root of the site. */
export const OAUTH_PAGE = '_docent/oauth.html';
