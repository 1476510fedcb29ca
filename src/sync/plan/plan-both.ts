import type { KubeObject } from '../../api/object.ts'
import type { Plan } from '../contract.ts'
import { type AcceptedFields, hostWrite } from './host-write.ts'
import { preparedFor } from './last-sync.ts'
import type { Counterpart } from './patched.ts'
import type { KindRules } from './rules.ts'
import { mergeTwoWay } from './two-way.ts'
import { virtualWrite } from './virtual-write.ts'

/** Both sides exist: merge what goes both ways, then see what each side lacks. */
export async function planBoth(
  { virtual, copy }: { readonly virtual: KubeObject; readonly copy: KubeObject },
  wanted: Counterpart,
  rules: KindRules,
  accepted: AcceptedFields | undefined,
): Promise<Plan> {
  const merged = await mergeTwoWay(virtual, copy, wanted, rules)
  const prepared = merged.flow && preparedFor(copy, merged.flow, wanted)
  if (prepared !== undefined) return { action: 'update', host: prepared, isPreparation: true }
  const host = hostWrite(copy, merged, rules, accepted)
  const { change, trouble: untaken } = await virtualWrite(virtual, copy, merged, rules)
  const trouble = merged.trouble ?? untaken
  // One write of the copy at a time: each is over the state that was read.
  const status = host === undefined ? rules.kind.statusToHost?.(virtual, copy) : undefined
  if (host === undefined && change === undefined && status === undefined)
    return { action: 'nothing', ...(trouble && { trouble }) }
  return {
    action: 'update',
    ...(change && { virtual: change }),
    ...(host && { host }),
    ...(status && { hostStatus: { copy, status } }),
    ...(trouble && { trouble }),
  }
}
