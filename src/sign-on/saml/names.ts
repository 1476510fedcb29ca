/** Names in SAML 2.0 and XML signatures. */
export const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'

export const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const statusPrefix = 'urn:oasis:names:tc:SAML:2.0:status:'

const nameIdPrefixes = ['urn:oasis:names:tc:SAML:1.1:nameid-format:', 'urn:oasis:names:tc:SAML:2.0:nameid-format:']

export const nameIdUris = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const

/** `persistent`, `transient` and so on; `unspecified` if missing. */
export function nameIdFormatOf(uri: string): string {
  const prefix = nameIdPrefixes.find((each) => uri.startsWith(each)) ?? ''
  return uri === '' ? 'unspecified' : uri.slice(prefix.length)
}

export const canonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const allowedTransforms: readonly string[] = [
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  canonicalization,
]

export const strongAlgorithms: readonly string[] = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]

export const sha1Algorithms: readonly string[] = [
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  'http://www.w3.org/2000/09/xmldsig#sha1',
]
