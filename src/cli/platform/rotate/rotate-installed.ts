import { followingAuthority } from '../../../base/certificates/authority-bundle.ts'
import { systemClock } from '../../../base/clock.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { systemRandom } from '../../../base/random.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { onHost } from '../../host/host-cluster.ts'
import { existing, servedTypeOf } from '../../host/objects.ts'
import { say } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { platformSecrets } from '../install/names.ts'
import type { RotateCertificatesOptions } from './options.ts'

/** Pods reload their Secrets automatically, and reissue their certificates. */
export async function rotateInstalled(options: RotateCertificatesOptions, terminal: Terminal): Promise<void> {
  const { namespace, only, overlap } = options
  if (only?.some((part) => part !== 'authority') === true) {
    throw new UsageError(
      '--installed replaces the authority alone: without --installed, the platform replaces the rest',
    )
  }
  await onHost(options, terminal, async ({ client: host }) => {
    const metadata = { namespace, name: platformSecrets.authority }
    const wanted = { apiVersion: 'v1', kind: 'Secret', metadata }
    const found = await existing(host, wanted)
    const { 'tls.crt': cert, 'tls.key': key } = isJsonObject(found?.data) ? found.data : {}
    if (found === undefined || typeof cert !== 'string' || typeof key !== 'string') {
      throw new Error(
        `there is no Secret ${metadata.name} in namespace ${namespace} of ${host.origin}: a certificate that --tls-secret names is replaced in that Secret`,
      )
    }
    const next = await followingAuthority(
      { cert: decoded(cert), key: decoded(key) },
      { clock: systemClock, random: systemRandom, overlapMs: overlap === undefined ? undefined : overlap * 1000 },
    )
    const data = {
      ...(isJsonObject(found.data) && found.data),
      'tls.crt': encoded(next.cert),
      'tls.key': encoded(next.key),
    }
    await host.update(await servedTypeOf(host, wanted), { ...found, data })
    say(
      terminal,
      `the Secret ${namespace}/${metadata.name} has a new authority; Pods show its certificates within two minutes`,
    )
  })
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString()
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
