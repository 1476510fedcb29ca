const digits = /^[0-9a-f]{64}$/

/** The SHA-256 fingerprint of a certificate in canonical form, or undefined if it is not one. */
export function readFingerprint(text: string): string | undefined {
  const hex = text
    .trim()
    .toLowerCase()
    .replace(/^sha-?256[:=]/, '')
    .replaceAll(':', '')
  return digits.test(hex) ? `SHA256:${inPairs(hex.toUpperCase())}` : undefined
}

function inPairs(hex: string): string {
  return hex.replace(/(..)(?!$)/g, '$1:')
}
