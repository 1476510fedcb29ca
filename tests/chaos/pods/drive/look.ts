import { marks, type Seen } from '../checker/account.ts'
import type { EndState } from '../checker/end-state.ts'
import { carriedKinds, deployments, virtualNamespaces } from './kinds.ts'
import type { Scene } from './scene.ts'

/** Every cluster creates one in every namespace. */
const rootCertificate = 'kube-root-ca.crt'

/** Lists the objects of both worlds. */
export async function look({ virtual, host, tenant, foreign }: Scene): Promise<EndState> {
  const found: EndState & { virtual: Seen[]; host: Seen[] } = {
    virtual: [],
    host: [],
    foreign: new Set(foreign.keys()),
  }
  for (const kind of [...carriedKinds, deployments]) {
    for (const namespace of virtualNamespaces) {
      const items = await virtual.list(kind, namespace)
      found.virtual.push(...items.map((item) => ({ ...item, kind: kind.kind }) as Seen).filter(isAUsers))
    }
  }
  for (const kind of carriedKinds) {
    const items = await host.list(kind, tenant.hostNamespace)
    found.host.push(
      ...items.map((item) => ({ ...item, kind: kind.kind }) as Seen).filter((each) => isOf(each, tenant.tenant)),
    )
  }
  return found
}

/** The versions of all objects; equal if nothing was written in between. */
export function versionsOf({ virtual, host }: EndState): string {
  return [...virtual, ...host].map(({ metadata }) => `${metadata.uid}:${metadata.resourceVersion}`).join()
}

function isAUsers({ metadata }: Seen): boolean {
  return metadata.name !== rootCertificate
}

/** Whether the object is in a namespace of the test, and not one that the tenant keeps for a whole namespace. */
function isOf({ metadata: { labels = {}, annotations = {} } }: Seen, tenant: string): boolean {
  const namespaces: readonly string[] = virtualNamespaces
  const isOurs = labels[marks.managedBy] === tenant && namespaces.includes(annotations[marks.namespace] ?? '')
  return isOurs && labels[marks.companion] !== 'environment' && annotations[marks.name] !== rootCertificate
}
