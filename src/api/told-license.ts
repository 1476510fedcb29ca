import { asJson, asMembers } from '../base/json/lenient.ts'

/** The license of a platform, as it tells it to virtual clusters. */
export interface ToldLicense {
  readonly document: string
  /** The public key of its issuer. Absent: the platform does not say. */
  readonly issuer?: string
}

export type ReadLicense =
  | { readonly said: 'license'; readonly license: ToldLicense }
  /** That there is none. */
  | { readonly said: 'none' }
  /** Nothing that is understood. */
  | { readonly said: 'nothing' }

const none = 'none'
/** What is longer is told by registration alone. */
const longestText = 6 * 1024

/** As the value of a header. Undefined where it does not fit into one. */
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
