import type { KubeObject } from '../../src/api/object.ts'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import type { PatchConfig } from '../../src/api/tenant-config/types.ts'
import type { ExpressionEngine, VirtualClusterContext } from '../../src/expression/contract.ts'
import { createExpressionEngine } from '../../src/expression/engine.ts'
import { applyPatches } from '../../src/patches/apply.ts'
import { compilePatches } from '../../src/patches/compile.ts'
import type {
  CompiledPatch,
  Direction,
  LabelTranslator,
  NameTranslator,
  PatchOutcome,
} from '../../src/patches/contract.ts'
import type { PatchRun } from '../../src/patches/run.ts'

export const vcluster: VirtualClusterContext = {
  name: 'demo',
  namespace: 'tenant-demo',
  config: effectiveConfig({ networking: { clusterDomain: 'demo.local' } }),
}

/** Host names are spelled out so that tests are readable. */
export const names: NameTranslator = {
  multiNamespace: false,
  toHost: (_kind, namespace, name) => ({ namespace: 'tenant-demo', name: `v-${name}.${namespace}` }),
  toVirtual: (_kind, _hostNamespace, hostName) => {
    const [, name, namespace] = /^v-(.*)\.([^.]*)$/.exec(hostName) ?? []
    return name === undefined || namespace === undefined ? undefined : { namespace, name }
  },
}

export const labels: LabelTranslator = {
  toHost: (key) => (key === 'release' ? 'tenant.example/release' : key),
  narrowing: {},
  toVirtual: (key) => (key === 'tenant.example/release' ? 'release' : key),
}

export function openTestEngine(): ExpressionEngine {
  return createExpressionEngine({ virtualToHostDNS: (service) => ({ ok: true, address: `host-of-${service}` }) })
}

export function compiled(patches: readonly PatchConfig[]): readonly CompiledPatch[] {
  const result = compilePatches(patches)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.patches
}

export interface Application {
  readonly engine: ExpressionEngine
  readonly direction?: Direction
  readonly run?: Partial<PatchRun>
}

export function apply(
  object: KubeObject,
  patches: readonly PatchConfig[],
  { engine, direction = 'toHost', run }: Application,
): Promise<PatchOutcome<KubeObject>> {
  const context = { vcluster, hostObject: null, virtualObject: object }
  return applyPatches(object, compiled(patches), { direction, context, names, labels, engine, ...run })
}

/** The object after all patches; a failure fails the test. */
export async function applied(
  object: KubeObject,
  patches: readonly PatchConfig[],
  how: Application,
): Promise<KubeObject> {
  const outcome = await apply(object, patches, how)
  if (outcome.state === 'failed') throw new Error(outcome.failure.message)
  return outcome.object
}

export function endpoints(members: { readonly [member: string]: unknown } = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: 'web',
      namespace: 'default',
      labels: { app: 'web', 'tenant.internal/managed-by': 'demo' },
      annotations: { 'example.com/owner': 'team-a', note: 'hello', 'tenant.internal/object-name': 'web' },
    },
    subsets: [
      { addresses: [{ ip: '10.0.0.1', hostname: 'one' }, { ip: '10.0.0.2' }], ports: [{ name: 'http', port: 80 }] },
      { notReadyAddresses: [{ ip: '10.0.0.3' }], ports: [{ name: 'https', port: 443 }] },
    ],
    ...members,
  }
}
