/**
 * The engine's own functions, saved before they are removed: they run at native speed, which text of a hundred
 * kilobytes needs.
 */
const { atob: decode, btoa: encode, DOMException, escape: percentEncoded, unescape: percentDecoded } = globalThis

/**
 * The UTF-8 bytes of the text, whatever it contains.
 * @param {unknown} text
 */
export function btoa(text) {
  return encode(toUtf8(asText('btoa', text)))
}

/**
 * The text with these UTF-8 bytes. Other bytes are refused: no text stands for them.
 * @param {unknown} base64
 */
export function atob(base64) {
  return fromUtf8(decoded(asText('atob', base64)))
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
    if (!(error instanceof URIError)) throw error
    throw new TypeError('atob was given bytes that are not UTF-8 text, which an expression cannot change')
  }
}

/**
 * Browsers encode a missing value as the word undefined, which has no place in a cluster.
 * @param {string} name
 * @param {unknown} value
 */
function asText(name, value) {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`${name} needs text, it was given ${value === null ? 'null' : typeof value}`)
}
