/**
 * The engine's own functions, taken before they are removed: they run at native speed, which text of a hundred
 * kilobytes needs.
 */
const { atob: decode, btoa: encode, DOMException, escape: percentEncoded, unescape: percentDecoded } = globalThis

/**
 * As in browsers for Latin-1. Other text, which browsers refuse, is encoded as UTF-8.
 * @param {unknown} text
 */
export function btoa(text) {
  const string = asText('btoa', text)
  return encoded(string) ?? encode(toUtf8(string))
}

/**
 * As in browsers, except that bytes which are UTF-8 for text beyond Latin-1 become that text: what btoa made of it.
 * @param {unknown} base64
 */
export function atob(base64) {
  const binary = decoded(asText('atob', base64))
  const text = fromUtf8(binary)
  return text === undefined || text === binary || encoded(text) !== undefined ? binary : text
}

/**
 * Nothing for text beyond Latin-1.
 * @param {string} text
 */
function encoded(text) {
  try {
    return encode(text)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** @param {string} base64 */
function decoded(base64) {
  try {
    return decode(base64)
  } catch (error) {
    throw error instanceof DOMException ? new TypeError('atob was given text that is not base64') : error
  }
}

/** @param {string} text */
function toUtf8(text) {
  try {
    return percentDecoded(encodeURIComponent(text))
  } catch (error) {
    throw error instanceof URIError ? new TypeError('btoa cannot encode half a surrogate pair') : error
  }
}

/** @param {string} binary */
function fromUtf8(binary) {
  try {
    return decodeURIComponent(percentEncoded(binary))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
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
