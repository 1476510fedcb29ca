import { isRefusal } from '../../api/error.ts'
import { identitySecretName } from '../../api/link.ts'
import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { secretType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { PermittedInformer } from '../../sync/run/permitted-informer.ts'

/** In the Secret with the proof: the virtual cluster that the copies on the host were made from. */
export const copiesOfEntry = 'copies-of'

/** The uid that the host notes; undefined if there is none. */
export async function notedUid(
  host: KubeClient,
  identity: TenantPlace,
  signal: AbortSignal,
): Promise<string | 'not readable' | undefined> {
  try {
    return uidIn(await host.get(secretType, placeOf(identity), signal))
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    if (isRefusal(error, 403)) return 'not readable'
    throw error
  }
}

/** The other entries of the Secret belong to others. */
export async function noteUid(
  host: KubeClient,
  identity: TenantPlace,
  uid: string,
  signal: AbortSignal,
): Promise<void> {
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...placeOf(identity), labels: { 'app.kubernetes.io/instance': identity.tenant } },
    type: 'Opaque',
    data: { [copiesOfEntry]: Buffer.from(uid).toString('base64') },
  }
  try {
    await host.apply(secretType, secret, { fieldManager: 'tenant-sync', force: true }, signal)
  } catch (error) {
    if (!isRefusal(error, 403, 404)) throw error
  }
}

/** Calls `changed` with what the host notes, also at first. Undefined: its Secret was written without the entry. */
export function followNote(
  host: KubeClient,
  identity: TenantPlace,
  changed: (uid: string | undefined) => void,
): { stop(): void } {
  const { namespace, name } = placeOf(identity)
  const note = new PermittedInformer({
    client: host,
    type: secretType,
    selection: { namespace, fieldSelector: `metadata.name=${name}`, keep: withoutProof },
    changed: ({ after }) => {
      if (after !== undefined) changed(uidIn(after))
    },
    withoutRight: () => {},
  })
  void note.start()
  return note
}

function placeOf({ tenant, hostNamespace }: TenantPlace) {
  return { namespace: hostNamespace, name: identitySecretName(tenant) }
}

function uidIn({ data }: KubeObject): string | undefined {
  const encoded = isJsonObject(data) ? data[copiesOfEntry] : undefined
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString() || undefined : undefined
}

function withoutProof({ data, ...secret }: KubeObject): KubeObject {
  return { ...secret, data: isJsonObject(data) ? { [copiesOfEntry]: data[copiesOfEntry] } : {} }
}
