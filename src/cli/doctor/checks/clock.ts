import { clockSkewText } from '../../platform/clock-skew.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { ok, skipped, warning } from '../finding.ts'
import { withPlatformHttp } from '../platform-client.ts'

/** Certificates, keys and licenses expire, and different clocks see that at different times. */
export const checkClock: DoctorCheck = {
  name: 'clock',
  needs: ['key', 'isReached'],
  run: async ({ key, terminal, clock }) => {
    const { headers } = await withPlatformHttp(known(key), terminal, (http) =>
      http.send({ method: 'GET', path: '/version', headers: {} }),
    )
    const theirsMs = Date.parse(headers.date ?? '')
    if (Number.isNaN(theirsMs)) return { finding: skipped('clock', 'the platform does not tell the time') }
    const skew = clockSkewText(clock.now(), theirsMs)
    if (skew === undefined) return { finding: ok('clock', 'this machine and the platform agree on the time') }
    return { finding: warning('clock', skew, 'set both clocks by NTP') }
  },
}
