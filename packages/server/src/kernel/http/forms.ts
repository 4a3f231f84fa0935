import type { FastifyRequest } from 'fastify';
import type { App } from './base-app.ts';

/** Makes the routes of a plugin take the forms of plain pages, and no other bodies. */
export function acceptForms(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** Returns the fields of a form; none if the request has no body. */
export function formOf({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
