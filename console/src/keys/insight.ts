import type { Management } from '../api/management.ts'
import { type AccessKey, nameOf } from '../api/objects.ts'
import { ask } from '../api/request.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { useManagement } from '../session/session-context.tsx'

export interface KeyHolders {
  readonly secrets: readonly {
    /** Absent: the platform itself. */
    readonly cluster?: string
    readonly namespace: string
    readonly name: string
    readonly entry: string
    readonly value?: string
  }[]
  readonly hiddenSecrets: number
  readonly virtualClusters: readonly {
    readonly project: string
    readonly name: string
    /** Whether it is linked with the key now. */
    readonly linked: boolean
    readonly last: string
  }[]
  /** Otherwise others may have used it before. */
  readonly complete: boolean
}

export interface KeyUsage {
  readonly bucketSeconds: number
  readonly buckets: readonly { readonly start: string; readonly allowed: number; readonly refused: number }[]
  readonly sources: readonly {
    readonly from: string
    readonly userAgent: string
    readonly last: string
    readonly requests: number
  }[]
  readonly uses: readonly KeyUse[]
  /** Otherwise some uses were folded into one, with `*` for what differs. */
  readonly usesComplete: boolean
  readonly usesSince: string
  /** Uses at other replicas that are more recent than this may be missing. */
  readonly usesDelaySeconds: number
  readonly complete: boolean
}

export interface KeyUse {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
  readonly target: string
  readonly last: string
}

export interface AuditEntry {
  readonly time: string
  readonly auditId: string
  readonly user: string
  readonly verb: string
  readonly target: string
  readonly path: string
  readonly code: number
  readonly decision: string
  readonly layer: string
  readonly reason?: string
  readonly source: string
  readonly userAgent: string
}

export interface AuditPage {
  readonly enabled: boolean
  readonly complete: boolean
  readonly entries: readonly AuditEntry[]
  readonly continue?: string
}

/** Asks a question about a key whose answer is a status. */
export async function askAboutKey<Status>(
  management: Management,
  name: string,
  question: { readonly subresource: string; readonly kind: string; readonly spec?: object },
): Promise<Status> {
  const { subresource, kind, spec } = question
  const path = management.path('ownedaccesskeys', { name, subresource })
  const body = { apiVersion: management.apiVersion, kind, ...(spec === undefined ? {} : { spec }) }
  return (await ask<{ readonly status: Status }>(path, { method: 'POST', body })).status
}

export function useHolders(key: AccessKey): Fetched<KeyHolders> {
  const management = useManagement()
  const name = nameOf(key)
  return useAsked({
    queryKey: ['holders', key.metadata.uid, key.metadata.resourceVersion],
    queryFn: () => askAboutKey<KeyHolders>(management, name, { subresource: 'holders', kind: 'AccessKeyHolders' }),
  })
}

export function useUsage(key: AccessKey, windowSeconds: number): Fetched<KeyUsage> {
  const management = useManagement()
  const name = nameOf(key)
  return useAsked({
    queryKey: ['usage', key.metadata.uid, windowSeconds, key.status?.lastActivity],
    queryFn: () =>
      askAboutKey<KeyUsage>(management, name, {
        subresource: 'usage',
        kind: 'AccessKeyUsage',
        spec: { windowSeconds },
      }),
    // Counts for another time span say nothing about this one.
    placeholderData: (before, query) => (query?.queryKey[2] === windowSeconds ? before : undefined),
  })
}
