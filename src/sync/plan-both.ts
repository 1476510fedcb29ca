import type { KubeObject } from '../api/object.ts'
import type { FlowedBack, Plan } from './contract.ts'
import { type AcceptedFields, hostWrite } from './host-write.ts'
import type { Counterpart } from './patched.ts'
import type { KindRules } from './rules.ts'
import { mergeTwoWay } from './two-way.ts'
import { virtualWrite } from './virtual-write.ts'

/** What one process knows of a copy besides what it is. */
export interface KnownOfCopy {
  readonly accepted?: AcceptedFields
  /** What the virtual object has taken over without the copy having been renewed. */
  readonly flowed?: FlowedBack
}

/** Both sides exist: merge what goes both ways, then see what each side lacks. */
export async function planBoth(
  { virtual, copy }: { readonly virtual: KubeObject; readonly copy: KubeObject },
  wanted: Counterpart,
  rules: KindRules,
  { accepted, flowed: earlier }: KnownOfCopy,
): Promise<Plan> {
  const merged = await mergeTwoWay(virtual, copy, wanted, rules, earlier)
  const host = hostWrite(copy, merged, rules, accepted)
  const { change, trouble: untaken } = await virtualWrite(virtual, copy, merged, rules)
  const trouble = merged.trouble ?? untaken
  if (host === undefined && change === undefined) return { action: 'nothing', ...(trouble && { trouble }) }
  const { flowed } = merged
  return {
    action: 'update',
    ...(change && { virtual: change }),
    ...(host && { host }),
    ...(flowed && { flowed }),
    ...(trouble && { trouble }),
  }
}
