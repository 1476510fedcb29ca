import { marks, type Seen } from '../checker/account.ts'
import type { EndState } from '../checker/end-state.ts'
import { carriedKinds, deployments, virtualNamespaces } from './kinds.ts'
import type { Scene } from './scene.ts'

/** Every cluster puts one into every namespace. */
const rootCertificate = 'kube-root-ca.crt'

/** What both worlds hold now, by lists. */
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

/** Which states they are; equal when nothing was written in between. */
export function versionsOf({ virtual, host }: EndState): string {
  return [...virtual, ...host].map(({ metadata }) => `${metadata.uid}:${metadata.resourceVersion}`).join()
}

function isAUsers({ metadata }: Seen): boolean {
  return metadata.name !== rootCertificate
}

/** Of the namespaces that the test uses, without what the tenant keeps for namespaces as a whole. */
function isOf({ metadata: { labels = {}, annotations = {} } }: Seen, tenant: string): boolean {
  const namespaces: readonly string[] = virtualNamespaces
  const isOurs = labels[marks.managedBy] === tenant && namespaces.includes(annotations[marks.namespace] ?? '')
  return isOurs && labels[marks.companion] !== 'environment' && annotations[marks.name] !== rootCertificate
}
