import type { BothSides, Plan } from '../contract.ts'
import { type AcceptedFields, hostWrite } from './host-write.ts'
import { preparedFor } from './last-sync.ts'
import type { Counterpart } from './patched.ts'
import type { KindRules } from './rules.ts'
import { mergeTwoWay } from './two-way.ts'
import { virtualWrite } from './virtual-write.ts'

/** Both sides exist: merges what is synced in both directions, then determines what each side lacks. */
export async function planBoth(
  { virtual, copy }: BothSides,
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
  // One write of the copy at a time, each over the state that was read.
  const parts = host === undefined ? (rules.kind.partsOfCopy?.({ virtual, copy }, wanted.fields) ?? []) : []
  if (host === undefined && change === undefined && parts.length === 0)
    return { action: 'nothing', ...(trouble && { trouble }) }
  return {
    action: 'update',
    ...(change && { virtual: change }),
    ...(host && { host }),
    ...(parts.length > 0 && { parts: parts.map((part) => ({ ...part, copy })) }),
    ...(trouble && { trouble }),
  }
}
