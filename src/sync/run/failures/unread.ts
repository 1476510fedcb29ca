import { apiVersionOf, type KubeObject } from '../../../api/object.ts'
import type { ResourceType, UnreadableObject } from '../../../client/contract.ts'
import type { Trouble } from '../../contract.ts'

/** The parts of an unreadable object that an Event needs; undefined if not even its name is known. */
export function unreadStub({ namespace, name, uid }: UnreadableObject, type: ResourceType): KubeObject | undefined {
  if (name === '') return undefined
  const metadata = { name, uid, ...(namespace !== '' && { namespace }) }
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata }
}

export function unreadTrouble({ problem }: UnreadableObject): Trouble {
  return { reason: 'Unreadable', message: `it is not synced, since it ${problem}` }
}
