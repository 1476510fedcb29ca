import { asJson, asMembers } from '../base/json/lenient.ts'

/** The license of a platform, as sent to virtual clusters. */
export interface ToldLicense {
  readonly document: string
  /** The public key of its issuer. Absent: the platform does not send it. */
  readonly issuer?: string
}

export type ReadLicense =
  | { readonly said: 'license'; readonly license: ToldLicense }
  /** There is no license. */
  | { readonly said: 'none' }
  /** The header is missing or invalid. */
  | { readonly said: 'nothing' }

const none = 'none'
/** A longer license is sent only at registration. */
const longestText = 6 * 1024

/** The value of a header. Undefined if it does not fit into one. */
export function printToldLicense(license: ToldLicense | undefined): string | undefined {
  if (license === undefined) return none
  const { document, issuer } = license
  const text = encodeURIComponent(JSON.stringify({ document, issuer }))
  return text.length <= longestText ? text : undefined
}

export function readToldLicense(text: string | undefined): ReadLicense {
  if (text === none) return { said: 'none' }
  if (text === undefined || text.length > longestText) return { said: 'nothing' }
  const { document, issuer } = asMembers(asJson(unescaped(text)))
  if (typeof document !== 'string') return { said: 'nothing' }
  return { said: 'license', license: { document, ...(typeof issuer === 'string' && { issuer }) } }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
