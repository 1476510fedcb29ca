/** `tpk_`: access keys. `tpi_`: proofs of identity. `tpo_`: refresh tokens. `tpr_`: secrets of replicas. */
const keyLike = /(tp[ki]_)(?:([0-9A-Za-z]{12})_[0-9A-Za-z_]*|[0-9A-Za-z_]{13,})|(tp[or]_)[\w-]{13,}/g
const prefixes = ['tpk_', 'tpi_', 'tpo_', 'tpr_']
const bearer = /\b(bearer\s+)[^\s"'\\,;]+/gi
const escapedAscii = /%([2-7][0-9a-f])/gi

/**
 * Hides everything that looks like an access key, a proof, a refresh token or a bearer token. The public id of a key
 * stays readable, and JSON stays valid.
 */
export function withoutKeys(text: string): string {
  if (!mayHoldKey(text)) return text
  return text.replace(keyLike, hiddenKey).replace(bearer, '$1[hidden]')
}

function hiddenKey(_: string, prefix: string | undefined, id: string | undefined, otherPrefix = ''): string {
  return (prefix ?? otherPrefix) + (id === undefined ? '[hidden]' : `${id}_[hidden]`)
}

/** The same for a path as sent, in which any character may be escaped. */
export function pathWithoutKeys(path: string): string {
  const plain = path.replace(escapedAscii, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  const hidden = withoutKeys(plain)
  return hidden === plain ? path : hidden
}

/** Whether the text contains what looks like an access key. */
export function holdsKey(text: string): boolean {
  return mayHoldValue(text) && text.search(keyLike) >= 0
}

/** Nearly every text contains none, so a regular expression would be wasted on it. */
function mayHoldKey(text: string): boolean {
  return mayHoldValue(text) || text.includes('earer') || text.includes('EARER')
}

function mayHoldValue(text: string): boolean {
  return prefixes.some((prefix) => text.includes(prefix))
}
