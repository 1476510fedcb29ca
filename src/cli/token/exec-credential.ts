import { timestamp } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { UsageError } from '../../base/usage-error.ts'
import { execVersions } from '../../client/kubeconfig/exec/protocol.ts'

/** The version that every kubectl since 1.11 knows, and the default in a kubeconfig. */
export const oldestVersion = 'client.authentication.k8s.io/v1beta1'

export interface PrintedKey {
  readonly value: string
  /** When kubectl must ask again. Absent: when the server refuses the key. */
  readonly askAgainMs?: number
}

/** The version that the caller reads, according to its environment. */
export function versionAsked({
  KUBERNETES_EXEC_INFO: info = '',
}: Readonly<Record<string, string | undefined>>): string {
  if (info === '') return oldestVersion
  const asked = apiVersionIn(info)
  if (execVersions.includes(asked)) return asked
  throw new UsageError(
    `KUBERNETES_EXEC_INFO asks for a version that is not supported; supported are ${execVersions.join(', ')}`,
  )
}

export function execCredential(apiVersion: string, { value, askAgainMs }: PrintedKey): string {
  const end = askAgainMs === undefined ? {} : { expirationTimestamp: timestamp(askAgainMs) }
  return `${JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: {}, status: { ...end, token: value } })}\n`
}

function apiVersionIn(info: string): string {
  try {
    const value: unknown = JSON.parse(info)
    return isJsonObject(value) ? String(value.apiVersion) : ''
  } catch {
    return ''
  }
}
