const UNSAFE = /[<>&\u2028\u2029]/g;

/** Returns JSON that is safe inside a `<script>` element: nothing in it can end the element or open a comment. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
