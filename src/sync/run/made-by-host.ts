import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { hasPodSelector } from '../kinds/services.ts'
import type { KindRules } from '../plan/rules.ts'

/** Whether a controller of the host creates it there: it lists the Pods of a Service that selects them. */
export async function isMadeByHost(
  virtual: KubeObject,
  { kind, setting }: KindRules,
  findService: (service: ObjectName) => Promise<KubeObject | undefined>,
): Promise<boolean> {
  const [service] = (setting.podsRunOnHost && kind.listsPodsOf?.(virtual)) || []
  if (service === undefined) return false
  const found = await findService(service)
  return found !== undefined && hasPodSelector(found)
}
