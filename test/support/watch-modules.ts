import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * For `node --import`: appends the URL of each module that the process loads to the file that
 * `TEST_MODULES_FILE` names.
 */
const file = process.env.TEST_MODULES_FILE;
registerHooks({
  load(url, context, nextLoad) {
    if (file !== undefined) appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
