import type { Kind } from '../kind.ts'
import { horizontalPodAutoscaler } from './autoscaler.ts'
import { horizontalPodAutoscalerV1 } from './autoscaler-v1.ts'

export function autoscalingKinds(): readonly Kind[] {
  return [horizontalPodAutoscaler, horizontalPodAutoscalerV1]
}
