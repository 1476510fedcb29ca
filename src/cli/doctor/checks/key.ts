import { ApiError } from '../../../api/error.ts'
import { printSource } from '../../../tenant/platform-key/wording.ts'
import { discoverDomain } from '../../platform/discover-domain.ts'
import { askSelf } from '../../platform/self.ts'
import type { Check } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok } from '../finding.ts'
import { asTenant } from '../platform-client.ts'

/** Whether the platform takes the key. */
export const checkKey: Check = {
  name: 'key',
  needs: ['key', 'isReached'],
  run: async ({ key, terminal }) => {
    const { source, url } = known(key)
    try {
      const learned = await asTenant(known(key), terminal, async (client) => {
        const domain = await discoverDomain(client)
        return { domain, self: await askSelf(client, domain) }
      })
      const { self } = learned
      return { finding: ok('key', `the platform takes it: key ${self.key?.name ?? '?'} of ${self.username}`), learned }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        const why = error instanceof Error ? error.message : String(error)
        return { finding: failed('key', why, `correct the entry host of ${printSource(source)}`) }
      }
      const cause = error.status.details?.causes?.[0]?.reason ?? ''
      return { finding: failed('key', `${url} refuses it: ${error.message}`, fixFor(cause, printSource(source))) }
    }
  },
}

function fixFor(cause: string, place: string): string {
  switch (cause) {
    case 'KeyDisabled':
      return 'enable it again: tenant platform keys enable NAME'
    case 'KeyExpired':
      return `make a new key with the role tenant and write it into ${place}`
    case 'OwnerLocked':
      return 'an administrator of the platform can unlock its owner'
    default:
      return `the platform does not know it: it may be mistyped, deleted, rotated, or of another platform; write a new one into ${place}`
  }
}
