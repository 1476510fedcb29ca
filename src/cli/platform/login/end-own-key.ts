import { isRefusal } from '../../../api/error.ts'
import { managementGroup } from '../../../api/management/management-kind.ts'
import { errorText } from '../../../base/error-text.ts'
import type { KnownPlatform } from '../../credentials/contract.ts'
import { warn } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withClient } from '../session.ts'

const answerTimeoutMs = 10_000

/**
 * Revokes the key that a sign-in of this command created. A key that has already ended counts as revoked; false: it
 * still works.
 */
export async function endOwnKey(platform: KnownPlatform, terminal: Terminal): Promise<boolean> {
  const { ownKey = '', domain, name } = platform
  const path = `/apis/${managementGroup(domain)}/v1/ownedaccesskeys/${encodeURIComponent(ownKey)}`
  try {
    await withClient({ ...platform, url: new URL(platform.url), answerTimeoutMs }, terminal, async (client) => {
      try {
        await client.ask({ method: 'DELETE', path })
      } catch (error) {
        if (!isRefusal(error, 401, 404)) throw error
      }
    })
    return true
  } catch (error) {
    const why = errorText(error)
    warn(terminal, `the key ${ownKey} of ${name} could not be ended, and works until it expires: ${why}`)
    return false
  }
}
