export const BASE_PATH = '/v1/auth';
/** Carries the client's address as the platform resolved it. */
export const ADDRESS_HEADER = 'x-docent-client';
/** How long a link to set a password, or to confirm an address, is valid. */
export const RESET_SECONDS = 3600;
