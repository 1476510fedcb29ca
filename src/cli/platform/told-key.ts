/** As a header can carry it: in a longer one, or in other characters, a platform tells something else than a key. */
const form = /^[\x21-\x7e]{1,4096}$/

/** An access key that a platform has told. Undefined: it told none. */
export function toldKey(value: unknown): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined
}
