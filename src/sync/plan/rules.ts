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
  /** What of it tenants may put on the host. Patches come after it. */
  readonly policy: ObjectPolicy
  /** Where the copy of a virtual object is; nothing if there is no place for it. */
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether its objects may name others, by what they are or by a patch. */
  readonly mayRefer: boolean
  /** Patches narrow selectors of its objects, which a host must take as they are or not at all. */
  readonly hasSelectors: boolean
  /** The patches of the kind. The same object gives the same outcome. */
  patch(object: KubeObject, direction: Direction, sides: PatchSides): Promise<PatchOutcome<KubeObject>>
}

export interface PatchSides {
  readonly virtualObject: KubeObject | null
  readonly hostObject: KubeObject | null
}
