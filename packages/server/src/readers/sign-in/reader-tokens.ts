import { DocentError } from '@docent/format/errors.ts';
import type { ReaderTokens } from '../../kernel/process-state.ts';
import { findAccess } from '../access/access-rows.ts';
import { type TokenDeps, verifyReaderToken } from './verify-token.ts';

/** Verifies the tokens that come with calls of the API. */
export function createReaderTokens(deps: TokenDeps): ReaderTokens {
  return {
    async verify(site, token) {
      const { methods } = await findAccess(deps.database.queries, site.siteId);
      if (!methods.jwt)
        throw new DocentError(
          'sign_in_required',
          'This site takes no tokens of readers; its owner sets a key first.',
        );
      const { reader, expiresAt } = await verifyReaderToken(deps, site, methods.jwt, token, 'api');
      return { ...reader, expiresAt: expiresAt ?? deps.clock.now() };
    },
  };
}
