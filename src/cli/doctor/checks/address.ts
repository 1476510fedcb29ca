import { ConnectionError, UntrustedCertificate } from '../../../client/connection/connection-error.ts'
import type { PlatformKey } from '../../../tenant/platform-key/contract.ts'
import { printSource } from '../../../tenant/platform-key/wording.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { type DoctorFinding, failed, ok, warning } from '../finding.ts'
import { withPlatformHttp } from '../platform-client.ts'

/** Whether a server answers at the address, and can be trusted. No key is sent. */
export const checkAddress: DoctorCheck = {
  name: 'address',
  needs: ['key'],
  run: async ({ key, terminal }) => {
    const platform = known(key)
    try {
      await withPlatformHttp(platform, terminal, (http) => http.send({ method: 'GET', path: '/version', headers: {} }))
      return { finding: reached(platform), learned: { isReached: true } }
    } catch (error) {
      return { finding: notReached(platform, error) }
    }
  },
}

function reached({ url, insecure, source }: PlatformKey): DoctorFinding {
  if (!insecure) return ok('address', `${url} answers, and its certificate is trusted`)
  const fix = `remove insecure from ${printSource(source)} and put the authority of the platform into certificateAuthorityData`
  return warning('address', `${url} answers, and any certificate is accepted: the key can be stolen on its way`, fix)
}

function notReached({ url, source, certificateAuthority }: PlatformKey, error: unknown): DoctorFinding {
  if (error instanceof UntrustedCertificate) {
    const what = certificateAuthority === undefined ? 'put the authority of the platform into' : 'correct'
    return failed('address', error.message, `${what} the entry certificateAuthorityData of ${printSource(source)}`)
  }
  if (!(error instanceof ConnectionError)) throw error
  const fix = `correct the entry host of ${printSource(source)}, or let connections out to ${url}`
  return failed('address', error.message, fix)
}
