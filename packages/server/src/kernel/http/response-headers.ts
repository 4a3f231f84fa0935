interface Header {
  description: string;
  example: string;
}

/**
 * The response headers that clients may rely on. Operations list theirs in `x-response-headers`.
 */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies the request in the log of the server. It is the `X-Request-Id` that the client sent, or a new one. Include it when you report a problem.',
    example: '6a1c9a52-6a53-4a0b-9d0c-2f6a3f6f0f0e',
  },
  'RateLimit-Policy': {
    description:
      'The limits that apply to the operation: name, requests (`q`) and window in seconds (`w`) of each. See the IETF draft “RateLimit header fields for HTTP”.',
    example: '"assistant-organization";q=10000;w=3600, "assistant-ip";q=10000;w=86400',
  },
  RateLimit: {
    description:
      'The rest of each limit: name, remaining requests (`r`) and seconds until the window ends (`t`).',
    example: '"assistant-ip";r=9999;t=86400, "assistant-organization";r=9998;t=3541',
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', example: '30' },
  'WWW-Authenticate': { description: 'How to authenticate: `Bearer`.', example: 'Bearer' },
  'x-thread-id': {
    description: 'Identifier of the conversation. Send it as `threadId` with the next question.',
    example: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
  },
  'x-thread-key': {
    description:
      'Secret of a new conversation, sent once. Send it as `threadKey` with the next question if the site requires it (`requireThreadKey`).',
    example: 'tk_4pJ0mQ9sV2xL7nB8cD3f',
  },
  'x-vercel-ai-data-stream': {
    description: 'Version of the AI SDK data stream protocol: `v1`.',
    example: 'v1',
  },
  'x-vercel-ai-ui-message-stream': {
    description: 'Version of the AI SDK UI message stream protocol: `v1`.',
    example: 'v1',
  },
  Deprecation: {
    description: 'Date from which the operation is deprecated (RFC 9745).',
    example: '@1767225600',
  },
  Link: {
    description:
      'The operation that replaces it, with the relation `successor-version` (RFC 8288).',
    example:
      '<https://docs.example.com/discovery/v2/assistant/acme/message>; rel="successor-version"',
  },
  ETag: {
    description:
      'Identifies this state. Send it as `If-Match` with a change that must not overwrite another.',
    example: '"5f0c3a9d7be14c52"',
  },
  Location: {
    description: 'Path of the created resource.',
    example: '/v1/static-export/jobs/se_3f9a2c1b8e7d4a06',
  },
} as const satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof responseHeaders;

/** Headers of every response of a rate-limited operation. */
export const limitHeaders = ['RateLimit-Policy', 'RateLimit'] as const satisfies ResponseHeader[];

declare module 'fastify' {
  interface FastifySchema {
    /** Returns the headers of the successful responses, for the API description. */
    'x-response-headers'?: readonly ResponseHeader[];
  }
}

/** Returns `components.headers` of the description. */
export function headerComponents(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description, example }]) => [
      name,
      { description, schema: { type: 'string' }, example },
    ]),
  );
}

/** Returns references to headers, for a response. */
export function headerReferences(
  names: readonly ResponseHeader[],
): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
