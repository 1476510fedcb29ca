/** What fits in a header. A longer value, or one with other characters, is no access key. */
const form = /^[\x21-\x7e]{1,4096}$/

/** The access key in an answer of a platform. Undefined: the answer has no valid one. */
export function receivedKey(value: unknown): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined
}
