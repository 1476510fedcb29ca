import { systemClock } from '../../../base/clock.ts'
import { packageVersion } from '../../../base/package-version.ts'
import type { Random } from '../../../base/random.ts'
import { pathPrefix } from '../../../client/connection/address.ts'
import { loadClusterAccess } from '../../../client/kubeconfig/load.ts'
import { usualLimits } from '../../../client/transport/limits.ts'
import { createTransport } from '../../../client/transport/transport.ts'
import type { SendLines } from './audit-webhook.ts'

export interface AuditWebhookServer {
  readonly origin: string
  readonly send: SendLines
  close(): void
}

/** They say something about what was sent. Others, such as 401 and 404, say that nothing is accepted now. */
const statusesOfContent: ReadonlySet<number> = new Set([400, 413, 422])

const limits = {
  ...usualLimits,
  maxAnswerBytes: 64 * 1024,
  concurrency: 1,
  retry: { ...usualLimits.retry, attempts: 1 },
}

/**
 * `file` has the format of a kubeconfig, which names the CA to trust and the credentials to send. Throws
 * KubeconfigError.
 */
export async function auditWebhookServer(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  random: Random,
): Promise<AuditWebhookServer> {
  const access = await loadClusterAccess({ file, env, clock: systemClock })
  const transport = createTransport({ access, limits, userAgent: `tenant-audit/${packageVersion()}`, env, random })
  const path = pathPrefix(access.url) === '' ? '/' : ''
  return {
    origin: transport.origin,
    send: async (body, signal) => {
      const request = { method: 'POST', path, body, contentType: 'application/x-ndjson', accept: '*/*' } as const
      const { status } = await transport.send(request, signal)
      if (statusesOfContent.has(status)) return 'refused'
      if (status < 200 || status >= 300) throw new Error(`the webhook has answered with ${status}`)
      return 'accepted'
    },
    close: () => transport.close(),
  }
}
