import type { Chance } from '../../../support/chance.ts'
import type { ClusterClient } from '../../../sync/support/cluster-client.ts'
import type { Thing } from '../../../sync/support/objects.ts'
import { copyName, type TenantPlace } from '../../names.ts'
import { type ForeignObject, marks, type Seen } from '../checker/account.ts'
import type { Place } from './kinds.ts'
import type { Nodes } from './nodes.ts'
import type { Recorder } from './recorder.ts'

/** Both worlds, as their users see them. */
export interface Scene {
  readonly virtual: ClusterClient
  readonly host: ClusterClient
  readonly tenant: TenantPlace
  readonly nodes: Nodes
  readonly recorder: Recorder
  readonly chance: Chance
  readonly foreign: Map<string, ForeignObject>
  readonly taken: Map<string, string>
}

export const done = 'done'

export function hostName({ tenant }: Scene, { namespace, name }: Place): string {
  return copyName(tenant, namespace, name)
}

export function isOwn({ foreign, tenant }: Scene, { metadata }: Seen): boolean {
  return metadata.labels?.[marks.managedBy] === tenant.tenant && !foreign.has(metadata.uid)
}

/** Objects with a mark of the tenant, without those that others have created. */
export function ownOnHost(scene: Scene, kind: string): readonly Seen[] {
  return scene.recorder.all('host', kind).filter((each) => isOwn(scene, each))
}

/** Records that the owner of a foreign object wrote this version of it. */
export function foreignWritten({ foreign }: Scene, { kind, metadata }: Thing): void {
  const { uid = '', resourceVersion = '', name } = metadata
  const known = foreign.get(uid) ?? { what: `${kind} ${name}`, versions: new Set<string>(), isDeleted: false }
  known.versions.add(resourceVersion)
  foreign.set(uid, known)
}
