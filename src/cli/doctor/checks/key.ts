import { ApiError } from '../../../api/error.ts'
import { errorText } from '../../../base/error-text.ts'
import { domainOf } from '../../../client/management-group.ts'
import { printSource } from '../../../tenant/platform-key/wording.ts'
import { remedyFor } from '../../platform/key-refusal-text.ts'
import { askSelf } from '../../platform/self.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok } from '../finding.ts'
import { asTenant } from '../platform-client.ts'

/** Whether the platform accepts the key. */
export const checkKey: DoctorCheck = {
  name: 'key',
  needs: ['key', 'isReached'],
  run: async ({ key, terminal }) => {
    const { source, url } = known(key)
    try {
      const learned = await asTenant(known(key), terminal, async (client) => {
        const domain = await domainOf(client)
        return { domain, self: await askSelf(client, domain) }
      })
      const { self } = learned
      return { finding: ok('key', `the platform takes it: key ${self.key?.name ?? '?'} of ${self.username}`), learned }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        const why = errorText(error)
        return { finding: failed('key', why, `correct the entry host of ${printSource(source)}`) }
      }
      const cause = error.status.details?.causes?.[0]?.reason ?? ''
      const another = `make a new key with the role tenant and write it into ${printSource(source)}`
      return { finding: failed('key', `${url} refuses it: ${error.message}`, remedyFor(cause, another)) }
    }
  },
}
