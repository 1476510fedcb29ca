import type { KubeObject } from '../../api/object.ts'
import type { Direction, ObjectName, PatchOutcome } from '../../patches/contract.ts'
import type { KindSetting, SyncKind } from '../contract.ts'
import type { CopyOwner } from '../names/markers.ts'

/** Everything that plans of one kind need besides the objects. It changes only as a whole, with the configuration. */
export interface KindRules {
  readonly kind: SyncKind
  readonly owner: CopyOwner
  readonly setting: KindSetting
  /** Where the copy of a virtual object is; nothing if there is no place for it. */
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether its objects may name others, by what they are or by a patch. */
  readonly mayRefer: boolean
  /** The patches of the kind. The same object gives the same outcome. */
  patch(object: KubeObject, direction: Direction, sides: PatchSides): Promise<PatchOutcome<KubeObject>>
}

export interface PatchSides {
  readonly virtualObject: KubeObject | null
  readonly hostObject: KubeObject | null
}
