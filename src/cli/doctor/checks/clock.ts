import { humanDuration } from '../../../api/human/duration.ts'
import type { Check } from '../examination.ts'
import { known } from '../examination.ts'
import { ok, skipped, warning } from '../finding.ts'
import { withPlatformHttp } from '../platform-client.ts'

const toleratedMs = 60_000

/** Certificates, keys and licences all have an end, and two clocks that differ see it at different moments. */
export const checkClock: Check = {
  name: 'clock',
  needs: ['key', 'isReached'],
  run: async ({ key, terminal, clock }) => {
    const { headers } = await withPlatformHttp(known(key), terminal, (http) =>
      http.send({ method: 'GET', path: '/version', headers: {} }),
    )
    const theirsMs = Date.parse(headers.date ?? '')
    if (Number.isNaN(theirsMs)) return { finding: skipped('clock', 'the platform does not tell the time') }
    const aheadMs = clock.now() - theirsMs
    if (Math.abs(aheadMs) <= toleratedMs)
      return { finding: ok('clock', 'this machine and the platform agree on the time') }
    const detail = `the clock of this machine is ${humanDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the platform`
    return { finding: warning('clock', detail, 'set both clocks by NTP') }
  },
}
