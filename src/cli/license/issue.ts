import { licensedFeatures } from '../../auth/license/contract.ts'
import { signLicense } from '../../auth/license/sign.ts'
import { systemClock } from '../../base/clock.ts'
import { systemRandom } from '../../base/random.ts'
import { given } from '../arguments/given.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readIssuerKey } from './issuer.ts'
import type { IssueOptions } from './options.ts'

export async function issue(flags: IssueOptions, terminal: Terminal): Promise<void> {
  const { key, to, feature = licensedFeatures, virtualClusters, expireAfter } = flags
  const issuerKey = await readIssuerKey(key, terminal)
  const issuedAtMs = systemClock.now()
  const license = {
    id: systemRandom.uuid(),
    issuedTo: to,
    features: feature,
    limits: given({ virtualClusters }),
    issuedAtMs,
    ...(expireAfter !== undefined && { expiresAtMs: issuedAtMs + expireAfter * 1000 }),
  }
  print(terminal, `${await signLicense(license, issuerKey)}\n`)
}
