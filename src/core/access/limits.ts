/** The configured numbers; everything else about a limit is fixed. */
export interface LimitSettings {
  assistantPerOrganisationHour: number;
  assistantPerIpDay: number;
  keysPerOrganisationHour: number;
  exportsPerOrganisationHour: number;
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** The limits of the API by what they count. */
export function limitsFrom(settings: LimitSettings) {
  return {
    assistantPerOrganisation: {
      name: 'assistant-organisation',
      points: settings.assistantPerOrganisationHour,
      windowSeconds: HOUR_SECONDS,
    },
    assistantPerIp: { name: 'assistant-ip', points: settings.assistantPerIpDay, windowSeconds: DAY_SECONDS },
    keysPerOrganisation: { name: 'keys-organisation', points: settings.keysPerOrganisationHour, windowSeconds: HOUR_SECONDS },
    exportsPerOrganisation: {
      name: 'exports-organisation',
      points: settings.exportsPerOrganisationHour,
      windowSeconds: HOUR_SECONDS,
    },
  };
}

interface Limit {
  name: string;
  points: number;
  windowSeconds: number;
}

interface LimitState {
  limit: Limit;
  remaining: number;
  resetSeconds: number;
}

/** The `RateLimit-Policy` field (IETF draft "RateLimit header fields for HTTP", a structured list of quoted names). */
export function rateLimitPolicyField(limits: readonly Limit[]): string {
  return limits.map((limit) => `"${limit.name}";q=${limit.points};w=${limit.windowSeconds}`).join(', ');
}

/** The `RateLimit` field of the same draft: what is left of each limit and when its window ends. */
export function rateLimitField(states: readonly LimitState[]): string {
  return states.map(({ limit, remaining, resetSeconds }) => `"${limit.name}";r=${remaining};t=${resetSeconds}`).join(', ');
}
