import { admissionregistrationKinds } from './admissionregistration/kinds.ts'
import { apiregistrationKinds } from './apiregistration/kinds.ts'
import { appsKinds } from './apps/kinds.ts'
import { autoscalingKinds } from './autoscaling/kinds.ts'
import { batchKinds } from './batch/kinds.ts'
import { certificatesKinds } from './certificates/kinds.ts'
import { coreKinds } from './core/kinds.ts'
import { moreCoreKinds } from './core/more-kinds.ts'
import { apiextensionsKinds } from './custom/kinds.ts'
import { flowcontrolKinds } from './flowcontrol/kinds.ts'
import type { Kind } from './kind.ts'
import { networkingKinds } from './networking/kinds.ts'
import { nodeKinds } from './node/kinds.ts'
import { policyKinds } from './policy/kinds.ts'
import { schedulingKinds } from './scheduling/kinds.ts'
import { storageKinds } from './storage/kinds.ts'

/** Every kind that an embedded cluster serves. */
export function builtinKinds(): readonly Kind[] {
  return [
    ...coreKinds(),
    ...moreCoreKinds(),
    ...admissionregistrationKinds(),
    ...apiextensionsKinds(),
    ...apiregistrationKinds(),
    ...appsKinds(),
    ...autoscalingKinds(),
    ...batchKinds(),
    ...certificatesKinds(),
    ...flowcontrolKinds(),
    ...networkingKinds(),
    ...nodeKinds(),
    ...policyKinds(),
    ...schedulingKinds(),
    ...storageKinds(),
  ]
}
