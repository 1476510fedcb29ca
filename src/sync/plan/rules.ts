import type { KubeObject } from '../../api/object.ts'
import type { Direction, ObjectName, PatchOutcome } from '../../patches/contract.ts'
import type { KindSetting, SyncKind } from '../contract.ts'
import type { CopyOwner } from '../names/markers.ts'
import type { ObjectPolicy } from '../policy/contract.ts'

/** Everything that plans of one kind need besides the objects. It changes only as a whole, with the configuration. */
export interface KindRules {
  readonly kind: SyncKind
  readonly owner: CopyOwner
  readonly setting: KindSetting
  /** What tenants may put on the host. Patches run after it. */
  readonly policy: ObjectPolicy
  /** The place of a virtual object's copy; undefined if there is none. */
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether its objects may refer to others, by their kind or by a patch. */
  readonly mayRefer: boolean
  /** Whether patches narrow selectors of its objects, which a host must accept unchanged or not at all. */
  readonly hasSelectors: boolean
  /** Runs the patches of the kind. Equal objects give equal results. */
  patch(object: KubeObject, direction: Direction, sides: PatchSides): Promise<PatchOutcome<KubeObject>>
}

export interface PatchSides {
  readonly virtualObject: KubeObject | null
  readonly hostObject: KubeObject | null
}
