/**
 * The engine's own functions, taken before they are removed: they run at native speed, which text of a hundred
 * kilobytes needs.
 */
const { atob: decode, btoa: encode, escape: percentEncoded, unescape: percentDecoded } = globalThis

const latin1 = /^[\0-\xff]*$/
const beyondAscii = /[\x80-\xff]/

/**
 * As in browsers for Latin-1. Other text, which browsers refuse, is encoded as UTF-8.
 * @param {unknown} text
 */
export function btoa(text) {
  const string = asText('btoa', text)
  if (latin1.test(string)) return encode(string)
  return encode(toUtf8(string))
}

/** @param {string} text */
function toUtf8(text) {
  try {
    return percentDecoded(encodeURIComponent(text))
  } catch {
    throw new TypeError('btoa cannot encode half a surrogate pair')
  }
}

/**
 * As in browsers, except that bytes which are UTF-8 for text beyond Latin-1 become that text: what btoa made of it.
 * @param {unknown} encoded
 */
export function atob(encoded) {
  const binary = decoded(asText('atob', encoded))
  if (!beyondAscii.test(binary)) return binary
  const text = fromUtf8(binary)
  return text === undefined || latin1.test(text) ? binary : text
}

/** @param {string} encoded */
function decoded(encoded) {
  try {
    return decode(encoded)
  } catch {
    throw new TypeError('atob was given text that is not base64')
  }
}

/** @param {string} binary */
function fromUtf8(binary) {
  try {
    return decodeURIComponent(percentEncoded(binary))
  } catch {
    return undefined
  }
}

/**
 * Browsers encode a missing value as the word undefined, which nobody wants in a cluster.
 * @param {string} name
 * @param {unknown} value
 */
function asText(name, value) {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`${name} needs text, it was given ${value === null ? 'null' : typeof value}`)
}
