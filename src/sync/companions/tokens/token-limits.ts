import type { Trouble } from '../../contract.ts'
import type { WantedEntries } from './wanted-tokens.ts'

const mostTokens = 16
const longestAudience = 1_024
/** Large enough for several authorities, and small enough for a Secret that also contains tokens. */
const largestCertificate = 256 * 1024

/** Why the tokens of a Pod are not requested; undefined if they may be. */
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

/** Whether a text can be the certificate authority of a virtual cluster. */
export function isRootCertificate(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= largestCertificate
}
