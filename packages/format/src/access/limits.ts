import { DocentError } from '../errors.ts';
import { addFigure } from '../figures.ts';

/** The configurable values; everything else about a limit is fixed. */
export interface LimitSettings {
  assistantPerOrganizationHour: number;
  assistantPerIpDay: number;
  searchPerOrganizationHour: number;
  searchPerIpHour: number;
  keysPerOrganizationHour: number;
  exportsPerOrganizationHour: number;
  publishesPerOrganizationHour: number;
  organizationsPerPersonHour: number;
  invitationsPerOrganizationDay: number;
}

/** A limit and the wording for what it counts: "An organization may create 10 keys an hour". */
export interface NamedLimit {
  name: string;
  points: number;
  windowSeconds: number;
  whose:
    | 'An organization'
    | 'An IP address'
    | 'An IP address or a browser'
    | 'An email address'
    | 'An account'
    | 'A person'
    | 'A session'
    | 'A site';
  does: string;
  things: string;
}

export const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** A limit for what an IP address sends. */
export function addressLimit(
  name: string,
  points: number,
  windowSeconds: number,
  things: string,
): NamedLimit {
  return {
    name: `${name}-ip`,
    points,
    windowSeconds,
    whose: 'An IP address',
    does: 'send',
    things,
  };
}

/** The limits of the API, by what they count. */
export function limitsFrom(settings: LimitSettings) {
  const organizationHour = (
    name: string,
    points: number,
    does: string,
    things: string,
  ): NamedLimit => ({
    name: `${name}-organization`,
    points,
    windowSeconds: HOUR_SECONDS,
    whose: 'An organization',
    does,
    things,
  });
  const questions = 'requests to the assistant';
  const searches = 'search and page requests';
  return {
    assistant: {
      perOrganization: organizationHour(
        'assistant',
        settings.assistantPerOrganizationHour,
        'receive',
        questions,
      ),
      perIp: addressLimit('assistant', settings.assistantPerIpDay, DAY_SECONDS, questions),
    },
    search: {
      perOrganization: organizationHour(
        'search',
        settings.searchPerOrganizationHour,
        'receive',
        searches,
      ),
      perIp: addressLimit('search', settings.searchPerIpHour, HOUR_SECONDS, searches),
    },
    keysPerOrganization: organizationHour(
      'keys',
      settings.keysPerOrganizationHour,
      'create',
      'keys',
    ),
    exportsPerOrganization: organizationHour(
      'exports',
      settings.exportsPerOrganizationHour,
      'start',
      'exports of projects',
    ),
    organizationsPerPerson: {
      name: 'organizations-person',
      points: settings.organizationsPerPersonHour,
      windowSeconds: HOUR_SECONDS,
      whose: 'A person',
      does: 'create',
      things: 'organizations',
    } satisfies NamedLimit,
    invitationsPerOrganization: {
      name: 'invitations-organization',
      points: settings.invitationsPerOrganizationDay,
      windowSeconds: DAY_SECONDS,
      whose: 'An organization',
      does: 'send',
      things: 'invitations',
    } satisfies NamedLimit,
    publishesPerOrganization: organizationHour(
      'publishes',
      settings.publishesPerOrganizationHour,
      'start',
      'publishes',
    ),
  };
}

/**
 * Counted for each organization and address, so that no organization decides how often another
 * invites somebody.
 */
export const INVITATIONS_PER_ADDRESS: NamedLimit = {
  name: 'invitations-address',
  points: 3,
  windowSeconds: DAY_SECONDS,
  whose: 'An email address',
  does: 'receive',
  things: 'invitations to an organization',
};

/** Returns the error of a request over a limit; it includes how long to wait. */
export function pastLimit(limit: NamedLimit, resetSeconds: number): DocentError {
  addFigure('refused', limit.name);
  const window = limit.windowSeconds === HOUR_SECONDS ? 'an hour' : 'a day';
  return new DocentError(
    'rate_limited',
    `${limit.whose} may ${limit.does} ${limit.points} ${limit.things} ${window}; try again in ${waitText(resetSeconds)}.`,
    { retryAfterSeconds: resetSeconds },
  );
}

function waitText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

type Limit = Pick<NamedLimit, 'name' | 'points' | 'windowSeconds'>;

interface LimitState {
  limit: Limit;
  remaining: number;
  resetSeconds: number;
}

/**
 * The `RateLimit-Policy` field (IETF draft "RateLimit header fields for HTTP", a structured list of
 * quoted names).
 */
export function rateLimitPolicyField(limits: readonly Limit[]): string {
  return limits
    .map((limit) => `"${limit.name}";q=${limit.points};w=${limit.windowSeconds}`)
    .join(', ');
}

/**
 * The `RateLimit` field of the same draft: what is left of each limit and when its window resets.
 */
export function rateLimitField(states: readonly LimitState[]): string {
  return states
    .map(({ limit, remaining, resetSeconds }) => `"${limit.name}";r=${remaining};t=${resetSeconds}`)
    .join(', ');
}
