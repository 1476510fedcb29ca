import type { Kind } from '../../api/kind.ts'
import { claimEvaluator } from './claim-evaluator.ts'
import type { Evaluator } from './contract.ts'
import { countEvaluator } from './count-evaluator.ts'
import { podEvaluator } from './pod-evaluator.ts'
import { serviceEvaluator } from './service-evaluator.ts'

const ofCore: Readonly<Record<string, Evaluator>> = {
  PersistentVolumeClaim: claimEvaluator,
  Pod: podEvaluator,
  Service: serviceEvaluator,
}

/** Undefined for kinds that no quota counts. */
export function evaluatorOf(kind: Kind): Evaluator | undefined {
  if (!kind.namespaced || kind.kind === 'Event') return undefined
  return (kind.group === '' ? ofCore[kind.kind] : undefined) ?? countEvaluator(kind)
}
