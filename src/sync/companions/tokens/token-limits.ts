import type { Trouble } from '../../contract.ts'
import type { WantedEntries } from './wanted-tokens.ts'

const mostTokens = 16
const longestAudience = 1_024
/** A bundle of several authorities fits in, and a Secret holds it beside the tokens. */
const largestCertificate = 256 * 1024

/** Why the tokens of a Pod are not asked for; nothing if they may be. */
export function tokenTrouble({ tokens }: WantedEntries): Trouble | undefined {
  if (tokens.length > mostTokens) {
    const message = `the Pod asks for ${tokens.length} different tokens, and at most ${mostTokens} are delivered to one`
    return { reason: 'TooManyTokens', message }
  }
  const long = tokens.find(({ audience }) => audience.length > longestAudience)
  if (long === undefined) return undefined
  const message = `an audience of ${long.audience.length} characters is too long: at most ${longestAudience} are asked for`
  return { reason: 'AudienceTooLong', message }
}

/** Whether a text can be the authority of a virtual cluster. */
export function isRootCertificate(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= largestCertificate
}
